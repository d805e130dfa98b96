import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { Subscriber } from '@deal-signals/outbox/record-events';
import type { CaptureTransaction } from './capture-transaction.ts';
import type { EngagedRoom, EngagementContext, Played, ShareLink } from './engagement.ts';
import { type Entry, type EntryOf, referenced } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import type { Problems } from '../records/problems.ts';

/** A record of engagement, which comes through a share link; a message may come without one. */
export type EngagementEntry = EntryOf<'event' | 'view' | 'message'>;

/** The context as SQL returns it; null is none. */
interface ContextRow {
  rooms: EngagedRoom[] | null;
  links: ShareLink[] | null;
  documents: { id: string; roomId: string }[] | null;
  recorded: string[] | null;
  sessions: Played[] | null;
}

const COLUMNS = Prisma.sql`
  known_rooms AS rooms, known_links AS links, known_documents AS documents, recorded, known_sessions AS sessions`;

/** What a capture knows when it begins. */
export interface BegunCapture {
  /** The reading of the feed clock. */
  at: Date;
  /** Who gets webhooks. */
  subscribers: Subscriber[];
  context: EngagementContext;
}

/**
 * Takes the feed clock, and reads with the same statement who gets webhooks and what records of engagement refer to: a captured
 * event needs nothing more before it is written.
 *
 * @param entries of these, the records of engagement are asked for.
 * @returns null if the workspace does not exist.
 */
export async function beginCapture(
  tx: Queryable,
  companyId: number,
  entries: readonly Entry[],
): Promise<BegunCapture | null> {
  const engagement = entries.filter(isEngagement);
  const [row] = await tx.$queryRaw<[ContextRow & { at: Date | null; subscribers: Subscriber[] | null }]>`
    SELECT at, subscribers, ${COLUMNS} FROM capture_context(${argumentsOf(companyId, true, engagement)})`;
  if (row.at === null) return null;
  return { at: row.at, subscribers: row.subscribers ?? [], context: contextOf(row, engagement) };
}

/** The context of records; it is read unless the transaction still knows it. */
export async function requireContext(
  capture: CaptureTransaction,
  entries: readonly EngagementEntry[],
): Promise<EngagementContext> {
  if (capture.context !== null) return capture.context;
  const [row] = await capture.tx.$queryRaw<[ContextRow]>`
    SELECT ${COLUMNS} FROM capture_context(${argumentsOf(capture.companyId, false, entries)})`;
  return contextOf(row, entries);
}

/** Those of the records that are new to the transaction; each is new once. */
export function takeNew<E extends EngagementEntry>(
  { taken }: CaptureTransaction,
  { recorded }: EngagementContext,
  entries: readonly E[],
): E[] {
  return entries.filter(({ record }) => {
    const identity = identityOf(record);
    if (recorded.has(identity) || taken.has(identity)) return false;
    taken.add(identity);
    return true;
  });
}

/**
 * Checks that the share link and the document of each record exist, and that the document belongs to the room of the link through
 * which it was opened.
 *
 * @param problems gets the records whose link or document is not as expected.
 */
export function checkLinks(
  problems: Problems,
  { links, documents }: EngagementContext,
  entries: readonly EngagementEntry[],
): void {
  problems.requireKnown(entries, 'distributionId', links);
  const opened = entries.filter(opensDocument);
  problems.requireKnown(opened, 'docId', documents);
  for (const entry of opened) {
    const { docId, distributionId } = entry.record;
    const link = links.get(distributionId);
    if (
      docId != null &&
      link !== undefined &&
      documents.has(docId) &&
      documents.get(docId) !== link.room.id
    ) {
      problems.add(entry, 'docId', "expected a document in the distribution's room");
    }
  }
}

function argumentsOf(
  companyId: number,
  takesClock: boolean,
  entries: readonly EngagementEntry[],
): Prisma.Sql {
  const messages = entries.filter(isMessage);
  const opened = entries.filter(opensDocument);
  const keysOf = (kind: EngagementEntry['record']['record']) =>
    entries.filter(({ record }) => record.record === kind).map(({ record }) => record.key);
  return Prisma.sql`${companyId}, ${takesClock}, ${referenced(messages, 'roomId')}::uuid[],
    ${referenced(entries, 'distributionId')}::uuid[], ${referenced(opened, 'docId')}::uuid[], ${keysOf('event')}::text[],
    ${keysOf('message')}::text[], ${keysOf('view')}::text[], ${sessionsOf(entries)}::json`;
}

/** What was played through which link, as JSON; null if nothing was. */
function sessionsOf(entries: readonly EngagementEntry[]): string | null {
  const sessions = entries.filter(isSession).map(({ record: { distributionId, segments } }) => ({
    link: distributionId,
    segments: segments ?? [],
  }));
  return sessions.length === 0 ? null : JSON.stringify(sessions);
}

function contextOf(
  { rooms, links, documents, recorded, sessions }: ContextRow,
  entries: readonly EngagementEntry[],
): EngagementContext {
  return {
    rooms: new Map(rooms?.map((room) => [room.id, room])),
    links: new Map(links?.map((link) => [link.id, link])),
    documents: new Map(documents?.map(({ id, roomId }) => [id, roomId])),
    recorded: new Set(recorded),
    played: new Map(entries.filter(isSession).map(({ record }, n) => [record, sessions![n]!])),
  };
}

function isEngagement(entry: Entry): entry is EngagementEntry {
  return ['event', 'view', 'message'].includes(entry.record.record);
}

function isMessage(entry: EngagementEntry): entry is EntryOf<'message'> {
  return entry.record.record === 'message';
}

function opensDocument(entry: EngagementEntry): entry is EntryOf<'event' | 'view'> {
  return entry.record.record !== 'message';
}

/** Whether a record is a session of a recording. */
function isSession(entry: EngagementEntry): entry is EntryOf<'view'> {
  return entry.record.record === 'view' && entry.record.docId == null;
}
