import type { Database, Transaction } from '@deal-signals/db/database';
import { type CallKind, type EsignDocument, Prisma } from '@deal-signals/db/generated/client';
import { findRooms, type ListedRoom } from '../rooms/room.ts';

// The statements read the roll-ups, which triggers keep up to date in the transaction of each change: see the migration
// room_roll_ups. So a request reads rows for the people, links, recordings and documents of the room, however many events
// and views there are. Points in time are read as milliseconds since 1970.

/** What is counted for a whole room. */
export interface TotalsRow {
  events: number;
  trailerViews: number;
  watchSeconds: number;
  lastActivityAt: Date | null;
  prospectMessages: number;
  sellerMessages: number;
  lastMessageAt: Date | null;
}

/** A stakeholder: a member of the People section, the recipient of a share link, or somebody who was active. */
export interface PersonRow {
  email: string | null;
  name: string | null;
  role: string | null;
  title: string | null;
  inCommittee: boolean;
  trailerViews: number;
  trailerCompletes: number;
  watchSeconds: number;
  bestCompletionPercent: number;
  roomVisits: number;
  docOpens: number;
  docsOpened: number;
  mapCheckoffs: number;
  comments: number;
  messages: number;
  forwards: number;
  lastActivityAt: number | null;
}

/** A recording that was shared into the room or watched in it. */
export interface TrailerRow {
  id: string;
  title: string | null;
  kind: CallKind;
  durationSeconds: number | null;
  recipients: number;
  views: number;
  watchSeconds: number;
  bestCompletionPercent: number;
}

/** A document of the room, and how often it was opened. */
export interface DocumentRow {
  id: string;
  title: string;
  category: string;
  uploadedByProspect: boolean;
  libraryAssetId: string | null;
  opens: number;
}

/** What one person read of one document through one link. */
export interface ReadingRow {
  docId: string;
  distributionId: string;
  /** Identifies the person within the room. */
  person: string;
  email: string | null;
  name: string | null;
  seconds: number;
  sessions: number;
  lastViewedAt: number;
}

/** Counts of the action plan. */
export interface PlanRow {
  total: number;
  done: number;
  doneByProspect: number;
  overdue: number;
  lastCompletedAt: Date | null;
}

/**
 * The rows of a list that may be long, up to 1,000 at a time. Each function parses its rows when it is called, so a room
 * with 100,000 people does not stop the other requests of the process.
 */
export type Chunks<Row> = (() => Row[])[];

/** All rows that the metrics of a room are built from. */
export interface RoomMetricsRows {
  room: ListedRoom;
  totals: TotalsRow;
  people: Chunks<PersonRow>;
  trailers: Chunks<TrailerRow>;
  documents: Chunks<DocumentRow>;
  readings: Chunks<ReadingRow>;
  plan: PlanRow;
  esigns: EsignDocument[];
}

/** Rows in a chunk: a few milliseconds to parse. */
const CHUNK_ROWS = 1_000;

const NO_TOTALS: TotalsRow = {
  events: 0,
  trailerViews: 0,
  watchSeconds: 0,
  lastActivityAt: null,
  prospectMessages: 0,
  sellerMessages: 0,
  lastMessageAt: null,
};

/**
 * Reads all rows for the metrics of a room. The statements share one snapshot, each uses an index on the room, and none
 * runs once per person, recording or document.
 *
 * @param now decides which action items are overdue.
 * @returns null if the workspace has no such room.
 */
export function findRoomMetrics(
  db: Database,
  companyId: number,
  roomId: string,
  now: Date,
): Promise<RoomMetricsRows | null> {
  return db.$transaction(
    async (tx) => {
      const [room] = await findRooms(tx, companyId, { ids: [roomId] });
      if (room === undefined) return null;
      return {
        room,
        totals: await findTotals(tx, companyId, roomId),
        people: await findPeople(tx, companyId, roomId),
        trailers: await findTrailers(tx, companyId, roomId),
        documents: await findDocuments(tx, companyId, roomId),
        readings: await findReadings(tx, companyId, roomId),
        plan: await countPlan(tx, companyId, roomId, now),
        esigns: await tx.esignDocument.findMany({ where: { companyId, roomId }, orderBy: { id: 'asc' } }),
      };
    },
    { isolationLevel: 'RepeatableRead' },
  );
}

/** Sums of seconds are read as float8, which is exact up to 2^53, because an `int` can overflow. */
async function findTotals(tx: Transaction, companyId: number, roomId: string): Promise<TotalsRow> {
  const [row] = await tx.$queryRaw<TotalsRow[]>`
    SELECT events, trailer_views AS "trailerViews", (watch_ms / 1000)::float8 AS "watchSeconds",
           last_activity_at AS "lastActivityAt", prospect_messages AS "prospectMessages",
           seller_messages AS "sellerMessages", last_message_at AS "lastMessageAt"
    FROM room_totals WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid`;
  return row ?? NO_TOTALS;
}

/**
 * Reads the stakeholders: members first, then the others. A person whose links were all addressed to somebody else before
 * anything happened is none.
 */
function findPeople(tx: Transaction, companyId: number, roomId: string): Promise<Chunks<PersonRow>> {
  return readChunks(
    tx,
    [
      'email',
      'name',
      'role',
      'title',
      'inCommittee',
      'trailerViews',
      'trailerCompletes',
      'watchSeconds',
      'bestCompletionPercent',
      'roomVisits',
      'docOpens',
      'docsOpened',
      'mapCheckoffs',
      'comments',
      'messages',
      'forwards',
      'lastActivityAt',
    ],
    Prisma.sql`
      WITH best AS (
        SELECT w.person, max(completion_percent(w.distinct_ms, c.duration_seconds)) AS percent
        FROM room_watches w
        CROSS JOIN LATERAL (${recordingOf(companyId)}) AS c
        WHERE w.company_id = ${companyId} AND w.room_id = ${roomId}::uuid AND w.views > 0
        GROUP BY w.person
      ), active AS (
        SELECT p.*, b.percent
        FROM room_people p LEFT JOIN best b USING (person)
        WHERE p.company_id = ${companyId} AND p.room_id = ${roomId}::uuid
          AND (p.links > 0 OR p.last_activity_at IS NOT NULL)
      ), members AS (
        SELECT identity, name, role, title,
               CASE WHEN email IS NOT NULL THEN substr(identity, ${'email:'.length + 1}::int) END COLLATE "C" AS email
        FROM room_members WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid
      )
      SELECT coalesce(m.email, a.email) AS email, coalesce(m.name, a.name) AS name, m.role, m.title,
             m.identity IS NOT NULL AS "inCommittee", coalesce(a.trailer_views, 0) AS "trailerViews",
             coalesce(a.trailer_completes, 0) AS "trailerCompletes", coalesce(a.watch_ms, 0) / 1000 AS "watchSeconds",
             coalesce(a.percent, 0) AS "bestCompletionPercent", coalesce(a.room_visits, 0) AS "roomVisits",
             coalesce(a.doc_opens, 0) AS "docOpens", coalesce(a.docs_opened, 0) AS "docsOpened",
             coalesce(a.map_checkoffs, 0) AS "mapCheckoffs", coalesce(a.comments, 0) AS comments,
             coalesce(a.messages, 0) AS messages, coalesce(a.forwards, 0) AS forwards,
             ${milliseconds('a.last_activity_at')} AS "lastActivityAt"
      FROM active a FULL JOIN members m ON m.email = a.person
      ORDER BY m.identity COLLATE "C" NULLS LAST, a.person`,
  );
}

function findTrailers(tx: Transaction, companyId: number, roomId: string): Promise<Chunks<TrailerRow>> {
  return readChunks(
    tx,
    [
      'id',
      'title',
      'kind',
      'durationSeconds',
      'recipients',
      'views',
      'watchSeconds',
      'bestCompletionPercent',
    ],
    Prisma.sql`
      SELECT c.id, c.title, c.kind, c.duration_seconds AS "durationSeconds", w.recipients, w.views,
             w.watch_ms / 1000 AS "watchSeconds",
             coalesce(completion_percent(w.distinct_ms, c.duration_seconds), 0) AS "bestCompletionPercent"
      FROM (SELECT demo_id, count(DISTINCT person) AS recipients, sum(views) AS views,
                   sum(watch_ms)::bigint AS watch_ms, max(distinct_ms) AS distinct_ms
            FROM room_watches
            WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid AND (addressed OR views > 0)
            GROUP BY demo_id) AS w
      CROSS JOIN LATERAL (${recordingOf(companyId)}) AS c
      ORDER BY c.id`,
  );
}

function findDocuments(tx: Transaction, companyId: number, roomId: string): Promise<Chunks<DocumentRow>> {
  return readChunks(
    tx,
    ['id', 'title', 'category', 'uploadedByProspect', 'libraryAssetId', 'opens'],
    Prisma.sql`
      SELECT d.id, d.title, d.category, d.uploaded_by_prospect AS "uploadedByProspect",
             d.library_asset_id AS "libraryAssetId", coalesce(o.opens, 0) AS opens
      FROM documents d
      LEFT JOIN room_document_opens o ON o.company_id = d.company_id AND o.room_id = d.room_id AND o.doc_id = d.id
      WHERE d.company_id = ${companyId} AND d.room_id = ${roomId}::uuid
      ORDER BY d.title, d.id`,
  );
}

function findReadings(tx: Transaction, companyId: number, roomId: string): Promise<Chunks<ReadingRow>> {
  return readChunks(
    tx,
    ['docId', 'distributionId', 'person', 'email', 'name', 'seconds', 'sessions', 'lastViewedAt'],
    Prisma.sql`
      SELECT doc_id AS "docId", distribution_id AS "distributionId", person, email, name, seconds, sessions,
             ${milliseconds('last_viewed_at')} AS "lastViewedAt"
      FROM room_readings WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid
      ORDER BY doc_id, distribution_id, person`,
  );
}

async function countPlan(tx: Transaction, companyId: number, roomId: string, now: Date): Promise<PlanRow> {
  const [row] = await tx.$queryRaw<[PlanRow]>`
    SELECT count(*)::int AS total, count(completed_at)::int AS done,
           (count(*) FILTER (WHERE completed_by = 'prospect'))::int AS "doneByProspect",
           (count(*) FILTER (WHERE completed_at IS NULL AND due_date < (${now}::timestamptz)::date))::int AS overdue,
           max(completed_at) AS "lastCompletedAt"
    FROM action_items WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid`;
  return row;
}

/** The recording of a row `w`. The limit keeps the planner from reading all calls of the workspace to join them. */
function recordingOf(companyId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT id, title, kind, duration_seconds FROM calls
    WHERE company_id = ${companyId} AND id = w.demo_id LIMIT 1`;
}

function milliseconds(column: string): Prisma.Sql {
  return Prisma.sql`round(date_part('epoch', ${Prisma.raw(column)}) * 1000)::bigint`;
}

/**
 * Reads the rows of a query in its order. Converting each row in the client would take ten times as long as JSON, and JSON
 * with the names of the columns in each row twice as long as without.
 *
 * @param columns the names of the columns of the query, in any order.
 */
async function readChunks<Row>(
  tx: Transaction,
  columns: readonly (keyof Row & string)[],
  query: Prisma.Sql,
): Promise<Chunks<Row>> {
  const values = Prisma.raw(columns.map((column) => `q."${column}"`).join(', '));
  const chunks = await tx.$queryRaw<{ rows: string }[]>`
    SELECT json_agg(r.row ORDER BY r.n)::text AS rows
    FROM (SELECT json_build_array(${values}) AS row, row_number() OVER () AS n FROM (${query}) AS q) AS r
    GROUP BY (r.n - 1) / ${CHUNK_ROWS}::int
    ORDER BY min(r.n)`;
  return chunks.map(
    ({ rows }) =>
      () =>
        (JSON.parse(rows) as unknown[][]).map(
          (row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])) as Row,
        ),
  );
}
