import { callInput, completionOf, drawCall, drawParticipants, talkTimeOf } from '../deal/calls.ts';
import { drawDeal } from '../deal/deals.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, momentBetween } from '../draw/moments.ts';
import type { Random } from '../draw/random.ts';
import type { InputOf, Timeline } from '../draw/timeline.ts';
import { DISQUALIFICATIONS, PIPELINE_REVIEW } from '../texts/sales-talk.ts';
import { sellersOf, type Workspace } from './workspaces.ts';

/** The kinds of calls without a room. They take turns, so that a small workspace has every kind too. */
const TURNS = ['failed', 'disqualified', 'pipeline_review', 'unsummarised', 'pipeline_review'] as const;

/**
 * Adds recordings that belong to no deal: weekly pipeline reviews, and first calls that led to nothing. One call has
 * just ended and is still being processed.
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
  let reviews = 0;
  for (let index = 0; index < count; index += 1) {
    const own = random.fork(`call ${index}`);
    const turn = index === 0 ? 'processing' : TURNS[index % TURNS.length]!;
    if (turn === 'pipeline_review')
      addPipelineReview(timeline, workspace, mondayMorning(now, reviews++), own);
    else addFirstCall(timeline, workspace, turn, own.pick(companies), now, own);
  }
}

/** 08:00 UTC on the last Monday before today, or `weeksAgo` weeks earlier. */
function mondayMorning(now: Date, weeksAgo: number): Date {
  const morning = new Date(now);
  morning.setUTCHours(8, 0, 0, 0);
  const daysSinceMonday = (now.getUTCDay() + 6) % 7 || 7;
  return later(morning, -(daysSinceMonday + 7 * weeksAgo) * DAY_MS);
}

/** Adds the first call with a company that never got a room, and what became of it. */
function addFirstCall(
  timeline: Timeline,
  workspace: Workspace,
  turn: 'processing' | Exclude<(typeof TURNS)[number], 'pipeline_review'>,
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

/** Adds an internal meeting about all open deals, with its summary. */
function addPipelineReview(timeline: Timeline, workspace: Workspace, occurredAt: Date, random: Random): void {
  const id = random.uuid('id');
  const durationSeconds = random.integer(22 * 60, 41 * 60);
  const completedAt = completionOf(random, occurredAt, durationSeconds);
  const manager = random.pick(sellersOf(workspace, 'sales_manager'));
  const team = [manager, ...sellersOf(workspace, 'account_executive')];
  const participants = drawParticipants(team, [], durationSeconds, random);
  const call: InputOf<'call'> = {
    record: 'call',
    id,
    kind: 'meeting',
    occurredAt: occurredAt.toISOString(),
    ownerId: manager.id,
    status: 'completed',
    completedAt: completedAt.toISOString(),
    title: random.pick(PIPELINE_REVIEW.title),
    durationSeconds,
    participants,
    talkTime: talkTimeOf(participants),
  };
  const summary = {
    schema: 'meeting.v2',
    headline: random.pick(PIPELINE_REVIEW.headline),
    participants: participants.map(({ name }) => `${name} (${workspace.name})`),
    keyTakeaways: random.sample(PIPELINE_REVIEW.takeaways, 2),
    decisions: random.sample(PIPELINE_REVIEW.decisions, 1),
    actionItems: random.sample(PIPELINE_REVIEW.actionItems, 2),
  };
  timeline.add(completedAt, call, { record: 'callSummary', callId: id, summary });
}
