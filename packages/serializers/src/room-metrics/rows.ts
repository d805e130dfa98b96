import type { Queryable } from '@deal-signals/db/queryable';
import { type CallKind, Prisma } from '@deal-signals/db/generated/client';
import { ESIGN_COLUMNS, type EsignDocumentRow } from '../rooms/esign-document.ts';
import { type ListedRoom, roomsQuery } from '../rooms/room.ts';
import { all, type AsJson, type Chunks, type List, list, readLists } from './json-lists.ts';

// The statement reads the roll-ups, which capture keeps up to date in the transaction of each change: see
// prisma/sql/roll-ups.sql. So a request reads rows for the people, links, recordings and documents of the room, regardless of the
// number of events and views. Points in time are read as milliseconds since 1970.

/** The totals of a room. */
export interface TotalsRow {
  events: number;
  trailerViews: number;
  watchSeconds: number;
  lastActivityAt: Date | null;
  prospectMessages: number;
  sellerMessages: number;
  lastMessageAt: Date | null;
}

/** A stakeholder: a member of the People section, the recipient of a share link, or a person who was active. */
export interface PersonRow {
  personId: string;
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

/** The reading of one document by one person through one link. */
export interface ReadingRow {
  docId: string;
  distributionId: string;
  /** Identifies the person within the room. */
  identity: string;
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

/** All rows that the metrics of a room are built from. */
export interface RoomMetricsRows {
  room: ListedRoom;
  totals: TotalsRow;
  people: Chunks<PersonRow>;
  trailers: Chunks<TrailerRow>;
  documents: Chunks<DocumentRow>;
  readings: Chunks<ReadingRow>;
  plan: PlanRow;
  esigns: EsignDocumentRow[];
}

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
 * Reads all rows for the metrics of a room with one statement, so they are from one snapshot. Each part uses an index on the
 * room, and none runs once per person, recording or document.
 *
 * @param now decides which action items are overdue.
 * @returns null if the workspace has no such room.
 */
export async function findRoomMetrics(
  db: Queryable,
  companyId: number,
  roomId: string,
  now: Date,
): Promise<RoomMetricsRows | null> {
  const room: List<ListedRoom> = {
    columns: ['id', 'ownerId', 'ownerName', 'ownerEmail', 'lastActivityAt', 'lastEngagementAt', 'text'],
    query: roomsQuery(companyId, { ids: [roomId] }),
  };
  const lists = await readLists(db, {
    room,
    totals: totals(companyId, roomId),
    people: people(companyId, roomId),
    trailers: trailers(companyId, roomId),
    documents: documents(companyId, roomId),
    readings: readings(companyId, roomId),
    plan: plan(companyId, roomId, now),
    esigns: esigns(companyId, roomId),
  });
  const [own] = all(lists.room);
  if (own === undefined) return null;
  const [found] = all(lists.totals);
  const [counted] = all(lists.plan);
  if (counted === undefined) throw new Error('counting returned no row');
  return {
    // In JSON, these columns are text.
    room: {
      ...own,
      lastActivityAt: new Date(own.lastActivityAt),
      lastEngagementAt: own.lastEngagementAt && new Date(own.lastEngagementAt),
    },
    totals:
      found === undefined
        ? NO_TOTALS
        : {
            ...found,
            lastActivityAt: dateOrNull(found.lastActivityAt),
            lastMessageAt: dateOrNull(found.lastMessageAt),
          },
    people: lists.people,
    trailers: lists.trailers,
    documents: lists.documents,
    readings: lists.readings,
    plan: { ...counted, lastCompletedAt: dateOrNull(counted.lastCompletedAt) },
    esigns: all(lists.esigns).map((esign) => ({
      ...esign,
      sentAt: dateOrNull(esign.sentAt),
      firstViewedAt: dateOrNull(esign.firstViewedAt),
      lastEventAt: dateOrNull(esign.lastEventAt),
      completedAt: dateOrNull(esign.completedAt),
      declinedAt: dateOrNull(esign.declinedAt),
      updatedAt: new Date(esign.updatedAt),
    })),
  };
}

/** Sums of seconds are read as float8, which is exact up to 2^53, because an `int` can overflow. */
function totals(companyId: number, roomId: string): List<AsJson<TotalsRow>> {
  return list(
    {
      events: Prisma.sql`events`,
      trailerViews: Prisma.sql`trailer_views`,
      watchSeconds: Prisma.sql`(watch_ms / 1000)::float8`,
      lastActivityAt: Prisma.sql`last_activity_at`,
      prospectMessages: Prisma.sql`prospect_messages`,
      sellerMessages: Prisma.sql`seller_messages`,
      lastMessageAt: Prisma.sql`last_message_at`,
    },
    Prisma.sql`FROM room_totals WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid`,
  );
}

/** The stakeholders, members first: those of the feed of people. */
function people(companyId: number, roomId: string): List<PersonRow> {
  return list(
    {
      personId: Prisma.sql`p.id`,
      email: Prisma.sql`p.email`,
      name: Prisma.sql`p.name`,
      role: Prisma.sql`p.role`,
      title: Prisma.sql`p.title`,
      inCommittee: Prisma.sql`p.in_committee`,
      trailerViews: Prisma.sql`coalesce(a.trailer_views, 0)`,
      trailerCompletes: Prisma.sql`coalesce(a.trailer_completes, 0)`,
      watchSeconds: Prisma.sql`coalesce(a.watch_ms, 0) / 1000`,
      bestCompletionPercent: Prisma.sql`coalesce(b.percent, 0)`,
      roomVisits: Prisma.sql`coalesce(a.room_visits, 0)`,
      docOpens: Prisma.sql`coalesce(a.doc_opens, 0)`,
      docsOpened: Prisma.sql`coalesce(a.docs_opened, 0)`,
      mapCheckoffs: Prisma.sql`coalesce(a.map_checkoffs, 0)`,
      comments: Prisma.sql`coalesce(a.comments, 0)`,
      messages: Prisma.sql`coalesce(a.messages, 0)`,
      forwards: Prisma.sql`coalesce(a.forwards, 0)`,
      lastActivityAt: milliseconds('a.last_activity_at'),
    },
    Prisma.sql`
      FROM people p
      LEFT JOIN room_people a
        ON a.company_id = p.company_id AND a.room_id = p.room_id AND a.identity = p.identity
      LEFT JOIN (
        SELECT w.identity, max(completion_percent(w.distinct_ms, c.duration_seconds)) AS percent
        FROM room_watches w
        CROSS JOIN LATERAL (${recordingOf(companyId)}) AS c
        WHERE w.company_id = ${companyId} AND w.room_id = ${roomId}::uuid AND w.views > 0
        GROUP BY w.identity
      ) AS b ON b.identity = a.identity
      WHERE p.company_id = ${companyId} AND p.room_id = ${roomId}::uuid AND p.removed_at IS NULL
      ORDER BY p.in_committee DESC, CASE WHEN p.in_committee THEN p.identity ELSE ${withoutScheme('p.identity')} END`,
  );
}

function trailers(companyId: number, roomId: string): List<TrailerRow> {
  return list(
    {
      id: Prisma.sql`c.id`,
      title: Prisma.sql`c.title`,
      kind: Prisma.sql`c.kind`,
      durationSeconds: Prisma.sql`c.duration_seconds`,
      recipients: Prisma.sql`w.recipients`,
      views: Prisma.sql`w.views`,
      watchSeconds: Prisma.sql`w.watch_ms / 1000`,
      bestCompletionPercent: Prisma.sql`coalesce(completion_percent(w.distinct_ms, c.duration_seconds), 0)`,
    },
    Prisma.sql`
      FROM (SELECT demo_id, count(DISTINCT identity) AS recipients, sum(views) AS views,
                   sum(watch_ms)::bigint AS watch_ms, max(distinct_ms) AS distinct_ms
            FROM room_watches
            WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid AND (addressed OR views > 0)
            GROUP BY demo_id) AS w
      CROSS JOIN LATERAL (${recordingOf(companyId)}) AS c
      ORDER BY c.id`,
  );
}

function documents(companyId: number, roomId: string): List<DocumentRow> {
  return list(
    {
      id: Prisma.sql`d.id`,
      title: Prisma.sql`d.title`,
      category: Prisma.sql`d.category`,
      uploadedByProspect: Prisma.sql`d.uploaded_by_prospect`,
      libraryAssetId: Prisma.sql`d.library_asset_id`,
      opens: Prisma.sql`coalesce(o.opens, 0)`,
    },
    Prisma.sql`
      FROM documents d
      LEFT JOIN room_document_opens o ON o.company_id = d.company_id AND o.room_id = d.room_id AND o.doc_id = d.id
      WHERE d.company_id = ${companyId} AND d.room_id = ${roomId}::uuid
      ORDER BY d.title, d.id`,
  );
}

function readings(companyId: number, roomId: string): List<ReadingRow> {
  return list(
    {
      docId: Prisma.sql`doc_id`,
      distributionId: Prisma.sql`distribution_id`,
      identity: Prisma.sql`identity`,
      email: Prisma.sql`email`,
      name: Prisma.sql`name`,
      seconds: Prisma.sql`seconds`,
      sessions: Prisma.sql`sessions`,
      lastViewedAt: milliseconds('last_viewed_at'),
    },
    Prisma.sql`
      FROM room_readings WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid
      ORDER BY doc_id, distribution_id, ${withoutScheme('identity')}`,
  );
}

function plan(companyId: number, roomId: string, now: Date): List<AsJson<PlanRow>> {
  return list(
    {
      total: Prisma.sql`count(*)`,
      done: Prisma.sql`count(completed_at)`,
      doneByProspect: Prisma.sql`count(*) FILTER (WHERE completed_by = 'prospect')`,
      overdue: Prisma.sql`count(*) FILTER (WHERE completed_at IS NULL AND due_date < (${now}::timestamptz)::date)`,
      lastCompletedAt: Prisma.sql`max(completed_at)`,
    },
    Prisma.sql`FROM action_items WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid`,
  );
}

function esigns(companyId: number, roomId: string): List<AsJson<EsignDocumentRow>> {
  return list(
    {
      id: Prisma.sql`id`,
      roomId: Prisma.sql`room_id`,
      ...ESIGN_COLUMNS,
      updatedAt: Prisma.sql`updated_at`,
    },
    Prisma.sql`FROM esign_documents WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid ORDER BY id`,
  );
}

/** Returns the sort key of a person's identity: the address, or the id of the share link. */
function withoutScheme(column: string): Prisma.Sql {
  return Prisma.raw(`substr(${column}, strpos(${column}, ':') + 1)`);
}

/** Joins the recording of a row `w`. The limit keeps the planner from reading all calls of the workspace for the join. */
function recordingOf(companyId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT id, title, kind, duration_seconds FROM calls
    WHERE company_id = ${companyId} AND id = w.demo_id LIMIT 1`;
}

function milliseconds(column: string): Prisma.Sql {
  return Prisma.sql`round(date_part('epoch', ${Prisma.raw(column)}) * 1000)::bigint`;
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
