import type { CaptureInput } from '@deal-signals/capture/records/record';
import { addActionPlan } from '../deal/action-plans.ts';
import { addContract } from '../deal/contracts.ts';
import { addConversation } from '../deal/conversations.ts';
import { type DealOutline, QUARTER_PLANS } from '../deal/deal-outlines.ts';
import { drawDeal } from '../deal/deals.ts';
import { drawMilestones } from '../deal/milestones.ts';
import { addDocuments, addRoom } from '../deal/rooms.ts';
import { addSessions } from '../deal/sessions.ts';
import { addShareLinks } from '../deal/share-links.ts';
import { Random } from '../random/random.ts';
import { ofWorkspace, Timeline } from '../random/timeline.ts';
import { COMPANY_NAMES } from '../texts/names.ts';
import { addRoomlessCalls } from './roomless-calls.ts';
import { demoWorkspace, type Workspace } from './workspaces.ts';

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
  // Reserves names for companies that only had a first call, so that none of them also has a room.
  const strangers = names.splice(0, 8);
  for (const { workspaceId, calls, deals } of QUARTER_PLANS) {
    const workspace = demoWorkspace(workspaceId);
    yield* workspaceInputs(workspace);
    const random = new Random(`${seed}/${workspaceId}`);
    const timeline = new Timeline();
    let left = calls;
    for (const [index, outline] of deals.entries())
      left -= addDeal(timeline, workspace, outline, names.shift()!, random.fork(`deal ${index}`), now);
    addRoomlessCalls(timeline, workspace, left, strangers, now, random.fork('roomless'));
    yield* ofWorkspace(workspaceId, timeline.records());
  }
}

/** Returns the records of a workspace and its users. */
export function workspaceInputs({ id: companyId, name, sellers }: Workspace): CaptureInput[] {
  const users = sellers.map(
    (seller) => ({ record: 'user', id: seller.id, name: seller.name, email: seller.email }) as const,
  );
  return [{ record: 'company', id: companyId, name }, ...ofWorkspace(companyId, users)];
}

/** Adds everything that happened in one deal. Returns the number of its calls. */
function addDeal(
  timeline: Timeline,
  workspace: Workspace,
  outline: DealOutline,
  name: string,
  random: Random,
  now: Date,
): number {
  const [, stage, , , attention, contract, replaced] = outline;
  const deal = drawDeal(workspace, outline, name, random, now);
  const milestones = drawMilestones(deal, stage);
  addRoom(timeline, deal, milestones);
  const documents = addDocuments(timeline, deal, milestones);
  const links = addShareLinks(timeline, deal, milestones);
  const championLink = links.find(({ buyer }) => buyer === deal.champion)!;
  addActionPlan(timeline, deal, stage, milestones, championLink);
  addConversation(timeline, deal, milestones, championLink);
  if (contract !== undefined && milestones.contractAt !== null)
    addContract(timeline, deal, contract, replaced !== undefined, milestones.contractAt);
  addSessions(timeline, deal, attention, links, documents);
  return milestones.calls.length;
}
