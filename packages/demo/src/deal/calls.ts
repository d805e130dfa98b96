import { fillIn } from '../draw/fill-in.ts';
import { later, MINUTE_MS } from '../draw/moments.ts';
import type { Random } from '../draw/random.ts';
import type { InputOf } from '../draw/timeline.ts';
import { sellersOf, type Seller } from '../quarter/workspaces.ts';
import { DEAL_REVIEW, DEEP_DIVE, DEMO, DISCOVERY, type CallTalk } from '../texts/sales-talk.ts';
import type { Deal } from './deals.ts';
import { buyerWith, type Buyer } from './people.ts';

/** What a call about a deal is for. */
export type CallPurpose = 'discovery' | 'demo' | 'deep_dive' | 'deal_review';

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

export const TALK: Record<CallPurpose, CallTalk> = {
  discovery: DISCOVERY,
  demo: DEMO,
  deep_dive: DEEP_DIVE,
  deal_review: DEAL_REVIEW,
};

/** The call kind that the product uses for each purpose. */
export const KIND: Record<CallPurpose, InputOf<'call'>['kind']> = {
  discovery: 'qualifying_call',
  demo: 'demo',
  deep_dive: 'demo',
  deal_review: 'meeting',
};

const MINUTES: Record<CallPurpose, readonly [from: number, to: number]> = {
  discovery: [24, 44],
  demo: [31, 56],
  deep_dive: [38, 58],
  deal_review: [16, 29],
};

/** Draws one call about a deal. The label must be unique among the deal's calls. */
export function drawCall(deal: Deal, purpose: CallPurpose, label: string, occurredAt: Date): DealCall {
  const random = deal.random.fork(`call ${label}`);
  const [from, to] = MINUTES[purpose];
  const durationSeconds = random.integer(from * 60, to * 60);
  return {
    id: random.uuid('id'),
    purpose,
    occurredAt,
    completedAt: completionOf(random, occurredAt, durationSeconds),
    durationSeconds,
    title: fillIn(random.pick(TALK[purpose].title), deal.facts),
    chapters: drawChapters(deal, purpose, durationSeconds, random.fork('chapters')),
    participants: drawParticipants(
      sellersOn(deal, purpose),
      buyersOn(deal, purpose),
      durationSeconds,
      random.fork('talk'),
    ),
  };
}

/** When the recording of a call has been processed: a few minutes after the call ends. */
export function completionOf(random: Random, occurredAt: Date, durationSeconds: number): Date {
  return later(occurredAt, durationSeconds * 1000 + random.integer(3, 11) * MINUTE_MS);
}

/** The record of a completed call. Set `inRoom` once the room exists; the first call takes place before that. */
export function callInput(deal: Deal, call: DealCall, inRoom: boolean): InputOf<'call'> {
  return {
    record: 'call',
    companyId: deal.workspace.id,
    id: call.id,
    kind: KIND[call.purpose],
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

/** The talk time of a call: the sum over its participants. */
export function talkTimeOf(participants: Participants): NonNullable<InputOf<'call'>['talkTime']> {
  const totalSpeakerSeconds = participants.reduce((sum, { talkSeconds }) => sum + (talkSeconds ?? 0), 0);
  return { source: 'diarization', totalSpeakerSeconds };
}

/** Draws how long each participant talked. Together they talk a little less than the call lasts. */
export function drawParticipants(
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
    const share = (shares[index] ?? 0) / allShares;
    return {
      ...person,
      isHost: index === 0,
      talkSeconds: Math.round(spoken * share),
      talkPercent: Math.round(share * 1000) / 10,
      sources: person.email === null ? ['recording'] : ['calendar', 'recording'],
    };
  });
}

function sellersOn({ workspace, owner, engineer }: Deal, purpose: CallPurpose): Seller[] {
  if (purpose === 'discovery') return [owner];
  if (purpose === 'deal_review') return [...sellersOf(workspace, 'sales_manager'), owner, engineer];
  return [owner, engineer];
}

function buyersOn({ people, champion }: Deal, purpose: CallPurpose): Buyer[] {
  if (purpose === 'deal_review') return [];
  if (purpose === 'discovery') return [champion];
  const technical = buyerWith(people, 'technical_evaluator');
  if (purpose === 'deep_dive') return [champion, technical];
  const floor = people.filter(({ role, listed, interest }) => role === 'end_user' && listed && interest > 0);
  return [champion, technical, buyerWith(people, 'decision_maker'), ...floor];
}

function drawChapters(deal: Deal, purpose: CallPurpose, durationSeconds: number, random: Random): Chapter[] {
  const { opening, closing } = TALK[purpose];
  const themes = deal.themes.map(
    (theme) => [theme.label, random.pick(purpose === 'discovery' ? theme.pain : theme.shown)] as const,
  );
  const told = purpose === 'deal_review' ? [opening, ...closing] : [opening, ...themes, ...closing];
  const weights = told.map(([label]) => (label === opening[0] ? 0.4 : 0.7 + random.next()));
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  let startSeconds = 0;
  let passed = 0;
  return told.map(([label, summary], index) => {
    passed += weights[index] ?? 0;
    const endSeconds = Math.round((durationSeconds * passed) / allWeights);
    const chapter = {
      label,
      summary: fillIn(summary, deal.facts),
      startSeconds,
      endSeconds,
    };
    startSeconds = endSeconds;
    return chapter;
  });
}
