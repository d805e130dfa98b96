import { completionOf, drawParticipants, talkTimeOf } from '../deal/calls.ts';
import { drawCommittee } from '../deal/people.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, momentBetween } from '../draw/moments.ts';
import type { Random } from '../draw/random.ts';
import type { InputOf, Timeline } from '../draw/timeline.ts';
import { DISQUALIFICATIONS } from '../texts/sales-talk.ts';
import { addPipelineReview } from './pipeline-reviews.ts';
import { sellersOf, type Workspace } from './workspaces.ts';

/** The kinds of calls without a room. They take turns, so that a small workspace has every kind too. */
const TURNS = ['failed', 'disqualified', 'pipeline_review', 'unsummarised', 'pipeline_review'] as const;

interface RoomlessCalls {
  count: number;
  /** First words of the names of the companies that had a first call. */
  companies: readonly string[];
  now: Date;
  random: Random;
}

/**
 * Adds recordings that belong to no deal: weekly pipeline reviews, and first calls that led to nothing. One call has
 * just ended and is still being processed.
 */
export function addRoomlessCalls(
  timeline: Timeline,
  workspace: Workspace,
  { count, companies, now, random }: RoomlessCalls,
): void {
  let reviews = 0;
  for (let index = 0; index < count; index += 1) {
    const own = random.fork(`call ${index}`);
    const turn = TURNS[index % TURNS.length];
    if (turn === 'pipeline_review') {
      addPipelineReview(timeline, workspace, mondayMorning(now, reviews), own);
      reviews += 1;
      continue;
    }
    const isFresh = index === 0;
    const occurredAt = isFresh
      ? later(now, -own.integer(30, 34) * MINUTE_MS)
      : momentBetween(own, later(now, -90 * DAY_MS), later(now, -3 * HOUR_MS));
    const call = drawFirstCall(workspace, own.pick(companies), occurredAt, own);
    if (isFresh) addProcessing(timeline, call);
    else if (turn === 'failed') addFailed(timeline, call);
    else if (turn === 'unsummarised') addCompleted(timeline, call);
    else addDisqualified(timeline, workspace, call, own);
  }
}

/** 08:00 UTC on the last Monday before today, or `weeksAgo` weeks earlier. */
function mondayMorning(now: Date, weeksAgo: number): Date {
  const morning = new Date(now);
  morning.setUTCHours(8, 0, 0, 0);
  const daysSinceMonday = (now.getUTCDay() + 6) % 7 || 7;
  return later(morning, -(daysSinceMonday + 7 * weeksAgo) * DAY_MS);
}

interface FirstCall {
  company: string;
  prospect: string;
  endedAt: Date;
  completedAt: Date;
  record: InputOf<'call'>;
}

function drawFirstCall(workspace: Workspace, name: string, occurredAt: Date, random: Random): FirstCall {
  const company = `${name} ${random.pick(workspace.offer.industries).suffix}`;
  const owner = random.pick(sellersOf(workspace, 'account_executive'));
  const durationSeconds = random.integer(11 * 60, 29 * 60);
  const domain = `${company.toLowerCase().replaceAll(' ', '-')}.example`;
  const [prospect] = drawCommittee(random, workspace.offer, domain);
  return {
    company,
    prospect: prospect?.name ?? company,
    endedAt: later(occurredAt, durationSeconds * 1000),
    completedAt: completionOf(random, occurredAt, durationSeconds),
    record: {
      record: 'call',
      companyId: workspace.id,
      id: random.uuid('id'),
      kind: 'qualifying_call',
      occurredAt: occurredAt.toISOString(),
      ownerId: owner.id,
      title: `First call with ${company}`,
      prospectName: company,
      durationSeconds,
      participants: drawParticipants([owner], prospect ? [prospect] : [], durationSeconds, random),
    },
  };
}

function addProcessing(timeline: Timeline, { record, endedAt }: FirstCall): void {
  timeline.add(endedAt, { ...record, status: 'processing' });
}

function addFailed(timeline: Timeline, { record, completedAt }: FirstCall): void {
  timeline.add(completedAt, { ...record, status: 'failed', participants: [] });
}

function addCompleted(
  timeline: Timeline,
  { record, completedAt }: FirstCall,
  disqualification: Pick<InputOf<'call'>, 'disqualifiedAt' | 'disqualifiedReason'> = {},
): void {
  timeline.add(completedAt, {
    ...record,
    ...disqualification,
    status: 'completed',
    completedAt: completedAt.toISOString(),
    talkTime: talkTimeOf(record.participants ?? []),
  });
}

function addDisqualified(timeline: Timeline, workspace: Workspace, call: FirstCall, random: Random): void {
  const { company, prospect, completedAt, record } = call;
  const [reason, explanation] = random.pick(DISQUALIFICATIONS);
  const disqualifiedAt = later(completedAt, random.integer(5, 50) * MINUTE_MS).toISOString();
  addCompleted(timeline, call, { disqualifiedAt, disqualifiedReason: reason });
  timeline.add(completedAt, {
    record: 'callSummary',
    companyId: workspace.id,
    callId: record.id,
    summary: {
      schema: 'qualifying_call.v2',
      headline: `${company} is not a customer for ${workspace.offer.product}`,
      company,
      verdictReasoning: explanation,
      participants: [`${prospect} (${company})`],
      keyTakeaways: [explanation, `${prospect} was open about it and is worth asking again in a year.`],
      decisions: ['No further calls.'],
      qualificationVerdict: 'disqualified',
    },
  });
}
