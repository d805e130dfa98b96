import { HOUR_MS, later, MINUTE_MS, momentBetween, part } from '../random/moments.ts';
import { type CallPurpose, type DealCall, drawCall } from './calls.ts';
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

/** The steps of a deal: calls with the buyers, and the contract. A deal at a stage has completed the steps up to that stage. */
const STEPS = ['discovery', 'demo', 'deep_dive', 'contract'] as const;
const STAGES: readonly Stage[] = ['discovery', 'demo', 'evaluation', 'contract'];
/** Every milestone starts at least this long before the last activity, so that all calls have ended by then. */
const LEAD_MS = 4 * HOUR_MS;

/** Draws the milestones of a deal, spread evenly over its life. */
export function drawMilestones(deal: Deal, stage: Stage): Milestones {
  const { status, startAt, endAt } = deal;
  const random = deal.random.fork('milestones');
  const steps = STEPS.slice(0, STAGES.indexOf(stage) + 1);
  const stepAt = (step: (typeof STEPS)[number]): Date | null => {
    const index = steps.indexOf(step);
    if (index === -1) return null;
    return part(startAt, later(endAt, -LEAD_MS), (index + random.next() * 0.3) / steps.length);
  };
  const callAt = (purpose: CallPurpose & (typeof STEPS)[number]): DealCall | null => {
    const at = stepAt(purpose);
    return at && drawCall(deal, purpose, purpose, at);
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
    roomAt: later(discovery.completedAt, random.integer(12, 90) * MINUTE_MS),
    demo,
    deepDive,
    contractAt: stepAt('contract'),
    closedAt: status === 'won' || status === 'lost' ? endAt : null,
    calls: [discovery, demo, deepDive, ...reviews].filter((call) => call !== null),
  };
}
