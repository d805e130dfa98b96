import { Prisma } from '@deal-signals/db/generated/client';
import { buildOutbox } from '@deal-signals/outbox/record-events';
import { announcedEvents } from './announced-events.ts';
import {
  type CaptureTransaction,
  type Effect,
  MOVED_TABLES,
  type MovedTable,
} from './capture-transaction.ts';

/**
 * Builds the last statement of a transaction, which writes what its records cause:
 * - the engagement itself, and with it the roll-ups of rooms and the heat-maps of recordings (`record_engagement`),
 * - the people of rooms, and the names by which they are found (`refresh_people`),
 * - the new positions of the objects that changed, at the ends of their feeds,
 * - the outbox, in the order of the records.
 *
 * The names of rooms and calls, and the roll-ups of share links, are written together with their rows.
 *
 * @param reverted the rows that end as the transaction found them; nothing of theirs is announced.
 * @param traceparents of the requests that sent the records, by line.
 * @returns null if there is nothing to write.
 */
export async function buildLastStatement(
  capture: CaptureTransaction,
  reverted: ReadonlySet<string>,
  traceparents: ReadonlyMap<number, string>,
): Promise<Prisma.Sql | null> {
  const { feed, companyId, at, subscribers } = capture;
  const lasting = capture.effects
    .filter(({ identity }) => !reverted.has(identity))
    .toSorted((a, b) => a.line - b.line);
  const announced = await announcedEvents(capture, lasting, subscribers);
  const events = [...lasting.flatMap(({ event, line }) => (event ? [{ event, line }] : [])), ...announced]
    .toSorted((a, b) => a.line - b.line)
    .map(({ event, line }) => ({ ...event, traceparent: traceparents.get(line) ?? null }));

  const outbox = buildOutbox(feed, events, subscribers);
  const parts = [...movesOf(lasting, companyId, at), ...(outbox ? [outbox] : [])];
  const engaged = engagementOf(capture);
  if (parts.length === 0 && engaged === null) return null;
  const call = engaged ?? Prisma.sql`SELECT`;
  return parts.length === 0 ? call : Prisma.sql`WITH ${Prisma.join(parts)} ${call}`;
}

/**
 * Writes the engagement that the records so far have brought, with the roll-ups and the people, for a record that changes these
 * rows: otherwise they are written at the end.
 */
export async function writeEngagementSoFar(capture: CaptureTransaction): Promise<void> {
  const call = engagementOf(capture);
  if (call === null) return;
  await capture.tx.$executeRaw(call);
  for (const written of [...Object.values(capture.engagement), capture.people]) written.length = 0;
}

/** The query that writes engagement and people; null if there are none. */
function engagementOf({ companyId, at, engagement, people }: CaptureTransaction): Prisma.Sql | null {
  const record = Prisma.sql`record_engagement(${companyId}, ${json(engagement.messages)}::json, ${json(engagement.events)}::json,
    ${json(engagement.views)}::json)`;
  const rooms = people.map(({ roomId }) => roomId);
  const identities = people.map(({ identity }) => identity);
  const refresh = Prisma.sql`refresh_people(${companyId}, ${at}, ${rooms}::uuid[], ${identities}::text[])`;
  if (Object.values(engagement).every((rows) => rows.length === 0)) {
    return people.length === 0 ? null : Prisma.sql`SELECT ${refresh}`;
  }
  // The function in FROM is done before the other one begins.
  return people.length === 0 ? Prisma.sql`SELECT ${record}` : Prisma.sql`SELECT ${refresh} FROM ${record}`;
}

/** All rows in one parameter: building one per value takes ten times as long as the INSERT. Null for none. */
function json(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows);
}

/** Common table expressions that move what changed to the ends of its feeds. */
function movesOf(lasting: readonly Effect[], companyId: number, at: Date): Prisma.Sql[] {
  const moves: Prisma.Sql[] = [];
  const roomIds = [...new Set(lasting.map((effect) => effect.roomId).filter((id) => id != null))];
  if (roomIds.length > 0) {
    moves.push(Prisma.sql`
      moved_rooms AS (
        UPDATE rooms SET last_activity_at = ${at} WHERE company_id = ${companyId} AND id = ANY(${roomIds}::uuid[])
      )`);
  }
  const callIds = [...new Set(lasting.flatMap((effect) => effect.callIds ?? []))];
  if (callIds.length > 0) {
    moves.push(Prisma.sql`
      moved_calls AS (
        UPDATE calls SET updated_at = ${at} WHERE company_id = ${companyId} AND id = ANY(${callIds}::uuid[])
      )`);
  }
  for (const [table, idType] of Object.entries(MOVED_TABLES)) {
    const ids = lasting.flatMap(({ moves: moved }) =>
      moved?.table === (table as MovedTable) ? [moved.id] : [],
    );
    if (ids.length === 0) continue;
    moves.push(Prisma.sql`
      ${Prisma.raw(`moved_${table}`)} AS (
        UPDATE ${Prisma.raw(table)} SET updated_at = ${at}
        WHERE company_id = ${companyId} AND id = ANY(${[...new Set(ids)]}::${Prisma.raw(idType)}[])
      )`);
  }
  return moves;
}
