import type { CaptureInput } from '@deal-signals/capture/record';
import { addActionPlan } from '../deal/action-plans.ts';
import { addContract } from '../deal/contracts.ts';
import { addConversation } from '../deal/conversations.ts';
import { QUARTER_PLANS, type QuarterPlan } from '../deal/deal-outlines.ts';
import { drawDeal, type Deal } from '../deal/deals.ts';
import { addDocuments } from '../deal/documents.ts';
import { drawMilestones } from '../deal/milestones.ts';
import { addCalls, addRoom } from '../deal/rooms.ts';
import { addShareLinks } from '../deal/share-links.ts';
import { Random } from '../draw/random.ts';
import { Timeline } from '../draw/timeline.ts';
import { addSessions } from '../engagement/sessions.ts';
import { COMPANY_NAMES } from '../texts/names.ts';
import { addRoomlessCalls } from './roomless-calls.ts';
import { demoWorkspace, type Seller, type Workspace } from './workspaces.ts';

export interface DemoOptions {
  /** Determines everything except the dates. */
  seed: string;
  /** The end of the quarter. Nothing happens later, and much happens shortly before. */
  now: Date;
}

/**
 * Generates the demo's data as records for `capture`: one quarter of two companies that sell with Decision Rooms. The
 * records come workspace by workspace; in each, records that others refer to come before activity. Every object is in
 * its final state, so capturing the records a second time changes nothing. The same seed and the same `now` give the
 * same records.
 */
export function* demoRecords({ seed, now }: DemoOptions): Generator<CaptureInput> {
  const names = new Random(seed).shuffle(COMPANY_NAMES);
  // Set aside names for companies that only had a first call, so that none of them also has a room.
  const strangers = names.splice(0, 8);
  for (const plan of QUARTER_PLANS) {
    const workspace = demoWorkspace(plan.workspaceId);
    yield* workspaceInputs(workspace);
    const prospects = names.splice(0, plan.deals.length);
    yield* quarter({
      workspace,
      plan,
      prospects,
      strangers,
      now,
      random: new Random(`${seed}/${workspace.id}`),
    });
  }
}

/** The records of a workspace and its users. */
export function workspaceInputs({ id: companyId, name, sellers }: Workspace): CaptureInput[] {
  return [
    { record: 'company', id: companyId, name },
    ...sellers.map((seller: Seller): CaptureInput => {
      return { record: 'user', companyId, id: seller.id, name: seller.name, email: seller.email };
    }),
  ];
}

interface Quarter {
  workspace: Workspace;
  plan: QuarterPlan;
  /** Names of the companies with a room. */
  prospects: readonly string[];
  /** Names of the companies without one. */
  strangers: readonly string[];
  now: Date;
  random: Random;
}

function quarter({ workspace, plan, prospects, strangers, now, random }: Quarter): CaptureInput[] {
  const timeline = new Timeline();
  let callsOfDeals = 0;
  for (const [index, outline] of plan.deals.entries()) {
    const own = random.fork(`deal ${index}`);
    const deal = drawDeal({ workspace, outline, name: prospects[index] ?? '', random: own, now });
    callsOfDeals += addDeal(timeline, deal);
  }
  addRoomlessCalls(timeline, workspace, {
    count: plan.calls - callsOfDeals,
    companies: strangers,
    now,
    random: random.fork('roomless'),
  });
  return timeline.records();
}

/** Adds everything that happened in one deal. @returns the number of its calls. */
function addDeal(timeline: Timeline, deal: Deal): number {
  const milestones = drawMilestones(deal);
  addCalls(timeline, deal, milestones);
  addRoom(timeline, deal, milestones);
  const documents = addDocuments(timeline, deal, milestones);
  const links = addShareLinks(timeline, deal, milestones);
  const championLink = links.find(({ buyer }) => buyer === deal.champion);
  if (championLink === undefined) throw new Error(`the champion of ${deal.name} has no share link`);
  addActionPlan(timeline, deal, milestones, championLink);
  addConversation(timeline, deal, milestones, championLink);
  addContract(timeline, deal, milestones.contractAt);
  addSessions(timeline, deal, links, documents);
  return milestones.calls.length;
}
