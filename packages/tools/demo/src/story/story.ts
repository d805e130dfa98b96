import type { CaptureInput } from '@deal-signals/capture/records/record';
import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import { actionItemInput, checkOffInputs } from '../deal/action-plans.ts';
import { callInput, drawCall } from '../deal/calls.ts';
import { contractInput } from '../deal/contracts.ts';
import { messageInput } from '../deal/conversations.ts';
import { drawDeal } from '../deal/deals.ts';
import { type Buyer, buyerWith } from '../deal/people.ts';
import { documentInput, memberInput, openingRoomInput, roomInput } from '../deal/rooms.ts';
import {
  eventInput,
  forwardInputs,
  linkInput,
  shareLink,
  type ShareLink,
  viewInput,
} from '../deal/share-links.ts';
import { summaryInput } from '../deal/summaries.ts';
import { fillIn } from '../random/fill-in.ts';
import { calendarDate, DAY_MS, HOUR_MS, later } from '../random/moments.ts';
import { Random } from '../random/random.ts';
import { type DemoRecord, ofWorkspace } from '../random/timeline.ts';
import type { Workspace } from '../quarter/workspaces.ts';
import { COMPANY_NAMES } from '../texts/names.ts';

/** The events of one moment of a sale. */
export interface StoryStep {
  /** A sentence that describes the step. */
  title: string;
  records: CaptureInput[];
}

export interface StoryOptions {
  workspace: Workspace;
  /** Makes the ids and keys of this run different from those of every other run. */
  run: string;
  /** Returns the current time. Called whenever a step is requested. */
  clock: () => Date;
}

/**
 * Yields one sale after another, faster than in real life: buyers watch, forward, read, write and sign. The sequence is
 * endless, and each step is created when it is requested. The first six steps cause every webhook event that a record can
 * cause.
 */
export function* storySteps({ workspace, run, clock }: StoryOptions): Generator<StoryStep, never> {
  for (let chapter = 1; ; chapter += 1) {
    for (const [title, recordsAt] of saleSteps(workspace, new Random(`${run}/sale ${chapter}`), clock()))
      yield { title, records: ofWorkspace(workspace.id, recordsAt(clock())) };
  }
}

/** A step before its time is known: the title, and a function that builds the records for a given time. */
type Beat = [title: string, recordsAt: (now: Date) => DemoRecord[]];

/** Returns the steps of a sale whose demo has just been processed. */
function saleSteps(workspace: Workspace, random: Random, startAt: Date): Beat[] {
  const name = random.pick(COMPANY_NAMES);
  const deal = drawDeal(workspace, ['open', 'contract', 8, 0, 'close'], name, random, startAt);
  const discovery = drawCall(deal, 'discovery', 'discovery', deal.startAt);
  const demo = drawCall(deal, 'demo', 'demo', later(startAt, -2 * HOUR_MS));
  const linkOf = (buyer: Buyer) => shareLink(deal, buyer.name, { buyer, call: demo, sharedAt: startAt });
  // Two people will be active, and one will stay silent. A colleague is outside the buying committee.
  const champion = linkOf(deal.champion);
  const technician = linkOf(buyerWith(deal.people, 'technical_evaluator'));
  const finance = linkOf(buyerWith(deal.people, 'finance'));
  const colleague = deal.people.find(({ listed }) => !listed)!;
  const forward = { ...linkOf(colleague), forwardedFrom: champion };
  const { assetId, ...asset } = random.pick(
    workspace.offer.library.filter(({ category }) => category === 'pricing'),
  );
  const proposal = { ...asset, id: random.uuid('proposal'), sharedAt: startAt };
  const aboutProposal = { docId: proposal.id, metadata: { title: proposal.title } };
  const businessCase = fillIn('Business case reviewed by {finance}', deal.facts);
  const signature = fillIn('Signature by {buyer}', deal.facts);
  const due = later(startAt, 7 * DAY_MS);
  const { durationSeconds, chapters } = demo;
  const half = Math.round(durationSeconds / 2);
  const favourite = chapters[2]!;

  const event = (link: ShareLink, type: string, now: Date, metadata?: object) =>
    eventInput(link, type, now, 'first', { ...(metadata && { metadata: { ...metadata } }) });
  /** A session that ends now and lasts as long as the played segments, so it starts before this step. */
  const watched = (link: ShareLink, now: Date, segments: [number, number][]) =>
    viewInput(link, 'first', later(now, -playedSeconds(segments) * 1000), now, { segments });
  const contract = (status: Parameters<typeof contractInput>[2], now: Date) =>
    contractInput(deal, 1, status, now);

  const beats: Beat[] = [
    [
      'the demo is summarised and the room is open',
      (now) => [
        callInput(deal, discovery, false),
        openingRoomInput(deal, discovery.id, now),
        callInput(deal, discovery, true),
        callInput(deal, demo, true),
        summaryInput(deal, demo),
        ...deal.people.filter(({ listed }) => listed).map((person) => memberInput(deal, person)),
        ...[champion, technician, finance].map((link) => linkInput(deal, link)),
        documentInput(deal, proposal, assetId),
        actionItemInput(deal, businessCase, due),
        actionItemInput(deal, signature, due),
      ],
    ],
    [
      '{champion} opens the recording',
      (now) => [
        event(champion, 'room_visit', now),
        event(champion, 'trailer_view', now, { device: 'desktop' }),
      ],
    ],
    [
      '{champion} has watched all of it, one chapter twice',
      (now) => [
        event(champion, 'trailer_complete', now),
        watched(champion, now, [
          [0, durationSeconds],
          [favourite.startSeconds, favourite.endSeconds],
        ]),
      ],
    ],
    [
      'scope, value and close date are agreed',
      () => {
        const expectedCloseDate = calendarDate(later(deal.expectedCloseDate, 7 * DAY_MS));
        return [roomInput(deal, { dealValueCents: deal.valueCents, expectedCloseDate })];
      },
    ],
    [
      '{champion} asks for the order form',
      (now) => {
        const text = '{buyer} agrees with the scope. Could you send us the order form this week?';
        return [messageInput(deal, 'order form asked for', now, text, champion)];
      },
    ],
    [
      '{owner} sends the contract',
      (now) => {
        const text = 'It is on its way to {buyer}, {champion}. Thank you!';
        return [messageInput(deal, 'order form sent', now, text), contract('sent', now)];
      },
    ],
    [
      '{champion} forwards the recording to {colleague}',
      (now) => forwardInputs(deal, { ...forward, sharedAt: now }, champion),
    ],
    ['{colleague} opens the recording', (now) => [event(forward, 'trailer_view', now, { device: 'phone' })]],
    [
      '{colleague} leaves a comment and stops halfway',
      (now) => [
        event(forward, 'comment', now, { text: 'This is exactly our Monday morning.', atSeconds: half }),
        watched(forward, now, [[0, half]]),
      ],
    ],
    ['{tech} opens the proposal', (now) => [eventInput(technician, 'doc_open', now, 'first', aboutProposal)]],
    [
      '{tech} downloads the proposal',
      (now) => [
        eventInput(technician, 'doc_download', now, 'first', aboutProposal),
        viewInput(technician, 'proposal', later(now, -185_000), now, { docId: proposal.id }),
      ],
    ],
    ['{buyer} opens the contract', (now) => [contract('viewed', now)]],
    [
      '{champion} checks off the business case',
      (now) => checkOffInputs(deal, champion, businessCase, due, now),
    ],
    ['the summary of the demo is generated again', () => [summaryInput(deal, demo, 2)]],
    [
      '{buyer} wants to start earlier',
      () => [roomInput(deal, { expectedCloseDate: calendarDate(deal.expectedCloseDate) })],
    ],
    ['{buyer} signs', (now) => [contract('signed_partial', now)]],
    [
      '{owner} countersigns',
      (now) => [...checkOffInputs(deal, champion, signature, due, now), contract('completed', now)],
    ],
    ['won', (now) => [roomInput(deal, { status: 'won', closedAt: now.toISOString() })]],
  ];
  const facts = { ...deal.facts, colleague: colleague.firstName };
  return beats.map(([title, recordsAt]) => [`${deal.name}: ${fillIn(title, facts)}`, recordsAt]);
}
