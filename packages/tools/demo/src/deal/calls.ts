import { fillIn } from '../random/fill-in.ts';
import { later, MINUTE_MS } from '../random/moments.ts';
import type { Random } from '../random/random.ts';
import type { InputOf } from '../random/timeline.ts';
import { sellersOf, type Seller } from '../quarter/workspaces.ts';
import { DEAL_REVIEW, DEEP_DIVE, DEMO, DISCOVERY } from '../texts/sales-talk.ts';
import type { Deal } from './deals.ts';
import { buyerWith, type Buyer } from './people.ts';

/** The purpose of a call about a deal: its kind in the product, its length in minutes, and its texts. */
export const PURPOSES = {
  discovery: { kind: 'qualifying_call', minutes: [24, 44], talk: DISCOVERY },
  demo: { kind: 'demo', minutes: [31, 56], talk: DEMO },
  deep_dive: { kind: 'demo', minutes: [38, 58], talk: DEEP_DIVE },
  deal_review: { kind: 'meeting', minutes: [16, 29], talk: DEAL_REVIEW },
} as const;
export type CallPurpose = keyof typeof PURPOSES;

/** A part of a recording, in seconds from its start. */
export interface Chapter {
  label: string;
  summary: string;
  startSeconds: number;
  endSeconds: number;
}

/** A recorded call about a deal. */
export interface DealCall {
  id: string;
  purpose: CallPurpose;
  occurredAt: Date;
  /** When the recording was processed. */
  completedAt: Date;
  durationSeconds: number;
  title: string;
  chapters: Chapter[];
  participants: Participants;
}

type Participants = NonNullable<InputOf<'call'>['participants']>;

/** Draws one call about a deal. The label must be unique among the deal's calls. */
export function drawCall(deal: Deal, purpose: CallPurpose, label: string, occurredAt: Date): DealCall {
  const random = deal.random.fork(`call ${label}`);
  const { minutes, talk } = PURPOSES[purpose];
  const durationSeconds = random.integer(minutes[0] * 60, minutes[1] * 60);
  const [sellers, buyers] = peopleOn(deal, purpose);
  return {
    id: random.uuid('id'),
    purpose,
    occurredAt,
    completedAt: completionOf(random, occurredAt, durationSeconds),
    durationSeconds,
    title: fillIn(random.pick(talk.title), deal.facts),
    chapters: drawChapters(deal, purpose, durationSeconds, random.fork('chapters')),
    participants: drawParticipants(sellers, buyers, durationSeconds, random.fork('talk')),
  };
}

/** Returns when the recording of a call has been processed, which is a few minutes after the call ends. */
function completionOf(random: Random, occurredAt: Date, durationSeconds: number): Date {
  return later(occurredAt, durationSeconds * 1000 + random.integer(3, 11) * MINUTE_MS);
}

/** Returns the record of a completed call. Set `inRoom` once the room exists. The first call takes place before that. */
export function callInput(deal: Deal, call: DealCall, inRoom: boolean): InputOf<'call'> {
  return {
    record: 'call',
    id: call.id,
    kind: PURPOSES[call.purpose].kind,
    occurredAt: call.occurredAt.toISOString(),
    ownerId: deal.owner.id,
    status: 'completed',
    completedAt: call.completedAt.toISOString(),
    title: call.title,
    prospectName: deal.name,
    durationSeconds: call.durationSeconds,
    ...(inRoom && { roomId: deal.roomId }),
    participants: call.participants,
    talkTime: talkTimeOf(call.participants),
  };
}

/** Sums up the talk time of the participants of a call. */
function talkTimeOf(participants: Participants): NonNullable<InputOf<'call'>['talkTime']> {
  const totalSpeakerSeconds = participants.reduce((sum, { talkSeconds }) => sum + (talkSeconds ?? 0), 0);
  return { source: 'diarization', totalSpeakerSeconds };
}

/** Draws how long each participant talked. Together they talk a little less than the call lasts. */
function drawParticipants(
  sellers: readonly Seller[],
  buyers: readonly Buyer[],
  durationSeconds: number,
  random: Random,
): Participants {
  const people = [
    ...sellers.map(({ name, email, role }) => ({ name, email, role: role as string, isInternal: true })),
    ...buyers.map(({ name, email, title }) => ({ name, email, role: title, isInternal: false })),
  ];
  const shares = people.map((_, index) => (index === 0 ? 1.2 : 1) * (0.15 + random.next()));
  const allShares = shares.reduce((sum, share) => sum + share, 0);
  const spoken = durationSeconds * (0.86 + random.next() * 0.1);
  return people.map((person, index) => {
    const share = shares[index]! / allShares;
    return {
      ...person,
      isHost: index === 0,
      talkSeconds: Math.round(spoken * share),
      talkPercent: Math.round(share * 1000) / 10,
      sources: person.email === null ? ['recording'] : ['calendar', 'recording'],
    };
  });
}

function peopleOn(deal: Deal, purpose: CallPurpose): [Seller[], Buyer[]] {
  const { workspace, owner, engineer, people, champion } = deal;
  if (purpose === 'discovery') return [[owner], [champion]];
  if (purpose === 'deal_review') return [[...sellersOf(workspace, 'sales_manager'), owner, engineer], []];
  const technical = buyerWith(people, 'technical_evaluator');
  if (purpose === 'deep_dive')
    return [
      [owner, engineer],
      [champion, technical],
    ];
  const floor = people.filter(({ role, listed, interest }) => role === 'end_user' && listed && interest > 0);
  return [
    [owner, engineer],
    [champion, technical, buyerWith(people, 'decision_maker'), ...floor],
  ];
}

function drawChapters(deal: Deal, purpose: CallPurpose, durationSeconds: number, random: Random): Chapter[] {
  const { opening, closing } = PURPOSES[purpose].talk;
  const themes = deal.themes.map(
    ({ label, pain, shown }) => [label, purpose === 'discovery' ? pain : shown] as const,
  );
  const told = purpose === 'deal_review' ? [opening, ...closing] : [opening, ...themes, ...closing];
  const weights = told.map(([label]) => (label === opening[0] ? 0.4 : 0.7 + random.next()));
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  let startSeconds = 0;
  let passed = 0;
  return told.map(([label, summary], index) => {
    passed += weights[index]!;
    const endSeconds = Math.round((durationSeconds * passed) / allWeights);
    const chapter = { label, summary: fillIn(summary, deal.facts), startSeconds, endSeconds };
    startSeconds = endSeconds;
    return chapter;
  });
}
