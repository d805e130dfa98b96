import type { CaptureInput } from '@deal-signals/capture/record';
import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import { checkOffInputs } from '../deal/action-plans.ts';
import { contractInput } from '../deal/contracts.ts';
import { messageInput } from '../deal/conversations.ts';
import { roomInput } from '../deal/rooms.ts';
import { forwardInputs, shareLink, type ShareLink } from '../deal/share-links.ts';
import { summaryInput } from '../deal/summaries.ts';
import { fillIn } from '../draw/fill-in.ts';
import { calendarDate, DAY_MS, later } from '../draw/moments.ts';
import { Random } from '../draw/random.ts';
import { documentViewInput, eventInput, recordingViewInput } from '../engagement/engagement.ts';
import type { Segment } from '../engagement/viewing.ts';
import type { Workspace } from '../quarter/workspaces.ts';
import { drawSale, openingRecords, type Sale } from './sale.ts';

/** What happens at one moment of a sale. */
export interface StoryStep {
  /** A sentence that says what happens. */
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
 * Plays one sale after another, faster than in real life: buyers watch, forward, read, write and sign. The sequence is
 * endless, and each step is made when it is requested. The first six steps cause every webhook event that a record can cause.
 */
export function* storySteps({ workspace, run, clock }: StoryOptions): Generator<StoryStep, never> {
  for (let chapter = 1; ; chapter += 1) {
    const sale = drawSale(workspace, new Random(`${run}/sale ${chapter}`), clock());
    for (const [title, recordsAt] of [...opening(sale), ...evaluation(sale), ...closing(sale)]) {
      yield {
        title: `${sale.deal.name}: ${fillIn(title, { ...sale.deal.facts, colleague: sale.colleague.firstName })}`,
        records: recordsAt(clock()),
      };
    }
  }
}

/** A step before its time is known: the title, and a function that makes the records for a given time. */
type Beat = readonly [title: string, recordsAt: (now: Date) => CaptureInput[]];

function opening(sale: Sale): Beat[] {
  const { deal, demo, links } = sale;
  const { champion } = links;
  const favourite = demo.chapters[2] ?? { startSeconds: 0, endSeconds: demo.durationSeconds };
  return [
    ['the demo is summarised and the room is open', (now) => openingRecords(sale, now)],
    [
      '{champion} opens the recording',
      (now) => [
        eventInput(deal, champion, 'room_visit', now, 'first'),
        eventInput(deal, champion, 'trailer_view', now, 'first', { metadata: { device: 'desktop' } }),
      ],
    ],
    [
      '{champion} has watched all of it, one chapter twice',
      (now) => [
        eventInput(deal, champion, 'trailer_complete', now, 'first'),
        watched(sale, champion, now, [
          [0, demo.durationSeconds],
          [favourite.startSeconds, favourite.endSeconds],
        ]),
      ],
    ],
    [
      'scope, value and close date are agreed',
      () => [
        roomInput(deal, {
          dealValueCents: deal.valueCents,
          expectedCloseDate: calendarDate(later(deal.expectedCloseDate, 7 * DAY_MS)),
        }),
      ],
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
      (now) => [
        messageInput(deal, 'order form sent', now, 'It is on its way to {buyer}, {champion}. Thank you!'),
        contractInput(deal, 1, 'sent', now),
      ],
    ],
  ];
}

function evaluation(sale: Sale): Beat[] {
  const { deal, demo, links, colleague, proposal } = sale;
  const { champion, technician } = links;
  const forward = shareLink(deal, 'forward', {
    buyer: colleague,
    call: demo,
    sharedAt: champion.sharedAt,
    forwardedFrom: champion,
  });
  const aboutProposal = { docId: proposal.id, metadata: { title: proposal.title } };
  const half = Math.round(demo.durationSeconds / 2);
  return [
    [
      '{champion} forwards the recording to {colleague}',
      (now) => forwardInputs(deal, { ...forward, sharedAt: now }, champion),
    ],
    [
      '{colleague} opens the recording',
      (now) => [eventInput(deal, forward, 'trailer_view', now, 'first', { metadata: { device: 'phone' } })],
    ],
    [
      '{colleague} leaves a comment and stops halfway',
      (now) => [
        eventInput(deal, forward, 'comment', now, 'first', {
          metadata: { text: 'This is exactly our Monday morning.', atSeconds: half },
        }),
        watched(sale, forward, now, [[0, half]]),
      ],
    ],
    [
      '{tech} opens the proposal',
      (now) => [eventInput(deal, technician, 'doc_open', now, 'proposal', aboutProposal)],
    ],
    [
      '{tech} downloads the proposal',
      (now) => [
        eventInput(deal, technician, 'doc_download', now, 'proposal', aboutProposal),
        documentViewInput(deal, technician, 'proposal', later(now, -185_000), now, proposal.id),
      ],
    ],
  ];
}

function closing({ deal, demo, links, plan, planDue }: Sale): Beat[] {
  const { champion } = links;
  return [
    ['{buyer} opens the contract', (now) => [contractInput(deal, 1, 'viewed', now)]],
    [
      '{champion} checks off the business case',
      (now) => checkOffInputs(deal, champion, plan.businessCase, planDue, now),
    ],
    ['the summary of the demo is generated again', () => [summaryInput(deal, demo, 2)]],
    [
      '{buyer} wants to start earlier',
      () => [roomInput(deal, { expectedCloseDate: calendarDate(deal.expectedCloseDate) })],
    ],
    ['{buyer} signs', (now) => [contractInput(deal, 1, 'signed_partial', now)]],
    [
      '{owner} countersigns',
      (now) => [
        ...checkOffInputs(deal, champion, plan.signature, planDue, now),
        contractInput(deal, 1, 'completed', now),
      ],
    ],
    ['won', (now) => [roomInput(deal, { status: 'won', closedAt: now.toISOString() })]],
  ];
}

/** A session that ends now and lasts as long as what was played, so it starts before this step. */
function watched({ deal }: Sale, link: ShareLink, now: Date, segments: Segment[]): CaptureInput {
  return recordingViewInput(deal, link, 'first', later(now, -playedSeconds(segments) * 1000), now, segments);
}
