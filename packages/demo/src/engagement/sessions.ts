import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import type { DealCall } from '../deal/calls.ts';
import type { Deal } from '../deal/deals.ts';
import type { RoomDocument } from '../deal/documents.ts';
import type { ShareLink } from '../deal/share-links.ts';
import { fillIn } from '../draw/fill-in.ts';
import { DAY_MS, later, MINUTE_MS, momentBetween } from '../draw/moments.ts';
import type { Random } from '../draw/random.ts';
import type { Timeline } from '../draw/timeline.ts';
import { COMMENTS } from '../texts/room-talk.ts';
import { documentViewInput, eventInput, recordingViewInput } from './engagement.ts';
import { drawSegments, furthestSecond } from './viewing.ts';

/** Upper bound for the length of a session. */
const LONGEST_SESSION_MS = 100 * MINUTE_MS;

/** How many of the buyers look at something, and how often compared with those who look again and again. */
const ATTENTION = {
  close: { buyers: Infinity, share: 1 },
  some: { buyers: 3, share: 0.1 },
  scant: { buyers: 1, share: 0.03 },
};

/** Adds everything that the buyers of a deal looked at. More interested buyers have more sessions. */
export function addSessions(
  timeline: Timeline,
  deal: Deal,
  links: readonly ShareLink[],
  documents: readonly RoomDocument[],
): void {
  const lastStart = later(deal.endAt, -LONGEST_SESSION_MS);
  const { buyers, share } = ATTENTION[deal.outline.attention ?? 'close'];
  const looking = deal.people.slice(0, buyers);
  for (const link of links) {
    if (link.sharedAt >= lastStart || !looking.includes(link.buyer)) continue;
    const random = deal.random.fork(`engagement ${link.id}`);
    const days = (lastStart.getTime() - link.sharedAt.getTime()) / DAY_MS;
    const sessions = Math.ceil(link.buyer.interest * (4 + days * 0.6) * share);
    for (let index = 0; index < sessions; index += 1) {
      // The champion's last visit is the last activity of the deal.
      const isLast = index === 0 && link.buyer === deal.champion;
      const startAt = isLast ? lastStart : momentBetween(random, link.sharedAt, lastStart);
      addSession({ timeline, deal, link, key: `s${index}`, random }, documents, startAt);
    }
  }
}

/** One visit by one person. */
interface Session {
  timeline: Timeline;
  deal: Deal;
  link: ShareLink;
  /** Unique among the sessions of the link. */
  key: string;
  random: Random;
}

function addSession(session: Session, documents: readonly RoomDocument[], startAt: Date): void {
  const { timeline, deal, link, key, random } = session;
  const device = random.weighted({ desktop: 6, phone: 3, tablet: 1 });
  let at = startAt;
  if (random.chance(0.6)) {
    timeline.add(at, eventInput(deal, link, 'room_visit', at, key, { metadata: { device } }));
    at = later(at, random.integer(10, 90) * 1000);
  }
  if (link.call !== null && random.chance(0.5)) at = addViewing(session, link.call, device, at);
  const readable = documents.filter(({ sharedAt }) => sharedAt <= startAt);
  for (const [index, document] of random.sample(readable, random.integer(0, 2)).entries()) {
    at = addReading({ ...session, key: `${key}-${index}` }, document, at);
  }
}

/** Adds one viewing of the link's recording. @returns when it ended. */
function addViewing(session: Session, call: DealCall, device: string, startedAt: Date): Date {
  const { timeline, deal, link, key, random } = session;
  const segments = drawSegments(random, call.chapters);
  const endedAt = later(startedAt, (playedSeconds(segments) + random.integer(2, 60)) * 1000);
  timeline.add(startedAt, eventInput(deal, link, 'trailer_view', startedAt, key, { metadata: { device } }));
  if (random.chance(0.08)) {
    const text = fillIn(random.pick(COMMENTS), deal.facts);
    const metadata = { text, atSeconds: segments[0]?.[1] ?? 0 };
    timeline.add(endedAt, eventInput(deal, link, 'comment', endedAt, key, { metadata }));
  }
  if (furthestSecond(segments) >= call.durationSeconds * 0.97) {
    timeline.add(endedAt, eventInput(deal, link, 'trailer_complete', endedAt, key));
  }
  timeline.add(endedAt, recordingViewInput(deal, link, key, startedAt, endedAt, segments));
  return endedAt;
}

/** Adds the reading of one document. @returns when it ended. */
function addReading(session: Session, { id: docId, pages, title }: RoomDocument, startedAt: Date): Date {
  const { timeline, deal, link, key, random } = session;
  const seconds = Math.min(15 * 60, Math.round(pages * (3 + random.next() ** 2 * 40)));
  const endedAt = later(startedAt, seconds * 1000);
  const opened = { docId, metadata: { title } };
  timeline.add(startedAt, eventInput(deal, link, 'doc_open', startedAt, key, opened));
  if (random.chance(0.22)) {
    const downloaded = { docId, metadata: { title, format: 'pdf' } };
    timeline.add(endedAt, eventInput(deal, link, 'doc_download', endedAt, key, downloaded));
  }
  timeline.add(endedAt, documentViewInput(deal, link, key, startedAt, endedAt, docId));
  return later(endedAt, random.integer(5, 40) * 1000);
}
