import { HOUR_MS, later, momentBetween, part } from '../draw/moments.ts';
import { drawCall, type CallPurpose, type DealCall } from './calls.ts';
import type { Stage } from './deal-outlines.ts';
import type { Deal } from './deals.ts';

/** The milestones that a deal has reached so far. */
export interface Milestones {
  discovery: DealCall;
  /** When the room was opened, shortly after the first call. */
  roomAt: Date;
  demo: DealCall | null;
  deepDive: DealCall | null;
  contractAt: Date | null;
  /** When the deal was won or lost. */
  closedAt: Date | null;
  /** All calls about the deal, internal reviews included. */
  calls: DealCall[];
}

/** The steps that a deal has taken by each stage: calls with the buyers, and the contract. */
const STEPS: Record<Stage, readonly (CallPurpose | 'contract')[]> = {
  discovery: ['discovery'],
  demo: ['discovery', 'demo'],
  evaluation: ['discovery', 'demo', 'deep_dive'],
  contract: ['discovery', 'demo', 'deep_dive', 'contract'],
};

/** Every milestone starts at least this long before the last activity, so that all calls have ended by then. */
const LEAD_MS = 4 * HOUR_MS;

/** Draws the milestones of a deal, spread evenly over its life. */
export function drawMilestones(deal: Deal): Milestones {
  const { outline, startAt, endAt } = deal;
  const random = deal.random.fork('milestones');
  const steps = STEPS[outline.stage];
  const stepAt = (step: (typeof steps)[number]): Date | null => {
    const index = steps.indexOf(step);
    if (index === -1) return null;
    const share = (index + (index === 0 ? 0 : random.next() * 0.3)) / steps.length;
    return part(startAt, later(endAt, -LEAD_MS), share);
  };
  const callAt = (purpose: CallPurpose): DealCall | null => {
    const at = stepAt(purpose);
    return at === null ? null : drawCall(deal, purpose, purpose, at);
  };

  const discovery = drawCall(deal, 'discovery', 'discovery', startAt);
  const demo = callAt('demo');
  const deepDive = callAt('deep_dive');
  const reviews: DealCall[] = [];
  if (demo !== null) {
    for (let index = random.integer(0, 2); index > 0; index -= 1) {
      const at = momentBetween(random, demo.completedAt, later(endAt, -LEAD_MS));
      reviews.push(drawCall(deal, 'deal_review', `review ${index}`, at));
    }
  }
  return {
    discovery,
    roomAt: later(discovery.completedAt, random.integer(12, 90) * 60_000),
    demo,
    deepDive,
    contractAt: stepAt('contract'),
    closedAt: outline.status === 'won' || outline.status === 'lost' ? endAt : null,
    calls: [discovery, demo, deepDive, ...reviews].filter((call) => call !== null),
  };
}
