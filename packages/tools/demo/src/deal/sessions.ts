import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import { fillIn } from '../random/fill-in.ts';
import { DAY_MS, later, MINUTE_MS, momentBetween } from '../random/moments.ts';
import type { Random } from '../random/random.ts';
import type { Timeline } from '../random/timeline.ts';
import { COMMENTS } from '../texts/room-talk.ts';
import type { Chapter, DealCall } from './calls.ts';
import type { DealOutline } from './deal-outlines.ts';
import type { Deal } from './deals.ts';
import type { RoomDocument } from './rooms.ts';
import { eventInput, type ShareLink, viewInput } from './share-links.ts';

/** Upper bound for the length of a session. */
const LONGEST_SESSION_MS = 100 * MINUTE_MS;
/** The share of the buyers who look at something, and how often, relative to the most attentive ones. */
const ATTENTION = {
  close: { buyers: Infinity, share: 1 },
  some: { buyers: 3, share: 0.1 },
  scant: { buyers: 1, share: 0.03 },
};

/** One visit by one person. The key is unique among the sessions of the link. */
interface Session {
  timeline: Timeline;
  deal: Deal;
  link: ShareLink;
  key: string;
  random: Random;
}

/** Adds everything that the buyers of a deal viewed. More interested buyers have more sessions. */
export function addSessions(
  timeline: Timeline,
  deal: Deal,
  attention: DealOutline[4],
  links: readonly ShareLink[],
  documents: readonly RoomDocument[],
): void {
  const lastStart = later(deal.endAt, -LONGEST_SESSION_MS);
  const { buyers, share } = ATTENTION[attention];
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

function addSession(session: Session, documents: readonly RoomDocument[], startAt: Date): void {
  const { timeline, link, key, random } = session;
  const metadata = { device: random.weighted({ desktop: 6, phone: 3, tablet: 1 }) };
  let at = startAt;
  if (random.chance(0.6)) {
    timeline.add(at, eventInput(link, 'room_visit', at, key, { metadata }));
    at = later(at, random.integer(10, 90) * 1000);
  }
  if (link.call !== null && random.chance(0.5)) at = addViewing(session, link.call, metadata, at);
  const readable = documents.filter(({ sharedAt }) => sharedAt <= startAt);
  for (const [index, document] of random.sample(readable, random.integer(0, 2)).entries())
    at = addReading({ ...session, key: `${key}-${index}` }, document, at);
}

/** Adds one viewing of the link's recording. Returns when it ended. */
function addViewing(session: Session, call: DealCall, metadata: object, startedAt: Date): Date {
  const { timeline, deal, link, key, random } = session;
  const segments = drawSegments(random, call.chapters);
  const endedAt = later(startedAt, (playedSeconds(segments) + random.integer(2, 60)) * 1000);
  timeline.add(startedAt, eventInput(link, 'trailer_view', startedAt, key, { metadata: { ...metadata } }));
  if (random.chance(0.08)) {
    const comment = { text: fillIn(random.pick(COMMENTS), deal.facts), atSeconds: segments[0]?.[1] ?? 0 };
    timeline.add(endedAt, eventInput(link, 'comment', endedAt, key, { metadata: comment }));
  }
  if (Math.max(...segments.map(([, to]) => to)) >= call.durationSeconds * 0.97)
    timeline.add(endedAt, eventInput(link, 'trailer_complete', endedAt, key));
  timeline.add(endedAt, viewInput(link, key, startedAt, endedAt, { segments }));
  return endedAt;
}

/** Adds the reading of one document. Returns when it ended. */
function addReading(session: Session, { id: docId, pages, title }: RoomDocument, startedAt: Date): Date {
  const { timeline, link, key, random } = session;
  const seconds = Math.min(15 * 60, Math.round(pages * (3 + random.next() ** 2 * 40)));
  const endedAt = later(startedAt, seconds * 1000);
  timeline.add(startedAt, eventInput(link, 'doc_open', startedAt, key, { docId, metadata: { title } }));
  if (random.chance(0.22)) {
    const downloaded = { docId, metadata: { title, format: 'pdf' } };
    timeline.add(endedAt, eventInput(link, 'doc_download', endedAt, key, downloaded));
  }
  timeline.add(endedAt, viewInput(link, key, startedAt, endedAt, { docId }));
  return later(endedAt, random.integer(5, 40) * 1000);
}

/** A half-open range of seconds that was played. */
type Segment = [from: number, to: number];

/**
 * Draws the ranges played in one session, in playing order. Some people watch everything, most drop off, many jump from
 * chapter to chapter, and some play the part that matters to them twice.
 */
function drawSegments(random: Random, chapters: readonly Chapter[]): Segment[] {
  const end = chapters.at(-1)?.endSeconds ?? 0;
  const habit = random.weighted({ to_the_end: 2, drops_off: 4, skips: 4, rewatches: 2, peeks: 2 });
  if (habit === 'to_the_end') return [[0, end]];
  if (habit === 'peeks') return [[0, random.integer(8, 70)]];
  // Attention fades: early exits are more frequent than late ones.
  if (habit === 'drops_off') return [[0, Math.max(15, Math.round(end * random.next() ** 1.6))]];
  /** Returns most of a chapter, from its start or shortly after it. */
  const played = ({ startSeconds, endSeconds }: Chapter): Segment => {
    const from = startSeconds + Math.round((endSeconds - startSeconds) * random.next() * 0.2);
    return [from, Math.max(from + 1, Math.round(from + (endSeconds - from) * (0.6 + random.next() * 0.4)))];
  };
  if (habit === 'skips') {
    const chosen = random.sample(chapters.slice(1), random.integer(2, 3)).map(played);
    return [[0, random.integer(6, 30)], ...chosen.toSorted(([a], [b]) => a - b)];
  }
  const favourite = played(random.pick(chapters.slice(1)));
  return [[0, Math.min(end, favourite[1] + random.integer(20, 240))], favourite];
}
