import { callInput, drawCall } from '../deal/calls.ts';
import { drawDeal } from '../deal/deals.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, momentBetween } from '../random/moments.ts';
import type { Random } from '../random/random.ts';
import type { Timeline } from '../random/timeline.ts';
import { DISQUALIFICATIONS } from '../texts/sales-talk.ts';
import type { Workspace } from './workspaces.ts';

/** The outcomes of first calls without a room. They rotate, so that a small workspace has every kind too. */
const OUTCOMES = ['failed', 'disqualified', 'disqualified', 'unsummarised', 'disqualified'] as const;

/**
 * Adds recordings that belong to no deal: first calls that led to nothing. One call has just ended and is still being
 * processed.
 *
 * @param companies first words of the names of the companies that had a first call.
 */
export function addRoomlessCalls(
  timeline: Timeline,
  workspace: Workspace,
  count: number,
  companies: readonly string[],
  now: Date,
  random: Random,
): void {
  for (let index = 0; index < count; index += 1) {
    const own = random.fork(`call ${index}`);
    const turn = index === 0 ? 'processing' : OUTCOMES[index % OUTCOMES.length]!;
    addFirstCall(timeline, workspace, turn, own.pick(companies), now, own);
  }
}

/** Adds the first call with a company that never got a room, and its outcome. */
function addFirstCall(
  timeline: Timeline,
  workspace: Workspace,
  turn: 'processing' | (typeof OUTCOMES)[number],
  name: string,
  now: Date,
  random: Random,
): void {
  const occurredAt =
    turn === 'processing'
      ? later(now, -random.integer(46, 50) * MINUTE_MS)
      : momentBetween(random, later(now, -90 * DAY_MS), later(now, -3 * HOUR_MS));
  const deal = drawDeal(workspace, ['lost', 'discovery', 0, 0, 'scant'], name, random, occurredAt);
  const call = drawCall(deal, 'discovery', 'first', occurredAt);
  const completed = { ...callInput(deal, call, false), title: `First call with ${deal.name}` };
  const { completedAt: _at, talkTime: _time, ...recorded } = completed;
  const { completedAt, durationSeconds } = call;
  if (turn === 'processing')
    return timeline.add(later(occurredAt, durationSeconds * 1000), { ...recorded, status: 'processing' });
  if (turn === 'failed')
    return timeline.add(completedAt, { ...recorded, status: 'failed', participants: [] });
  if (turn === 'unsummarised') return timeline.add(completedAt, completed);
  const [disqualifiedReason, explanation] = random.pick(DISQUALIFICATIONS);
  const disqualifiedAt = later(completedAt, random.integer(5, 50) * MINUTE_MS).toISOString();
  const prospect = deal.champion.name;
  const summary = {
    schema: 'qualifying_call.v2',
    headline: `${deal.name} is not a customer for ${workspace.offer.product}`,
    company: deal.name,
    verdictReasoning: explanation,
    participants: [`${prospect} (${deal.name})`],
    keyTakeaways: [explanation, `${prospect} was open about it and is worth asking again in a year.`],
    decisions: ['No further calls.'],
    qualificationVerdict: 'disqualified',
  };
  timeline.add(
    completedAt,
    { ...completed, disqualifiedAt, disqualifiedReason },
    { record: 'callSummary', callId: call.id, summary },
  );
}
