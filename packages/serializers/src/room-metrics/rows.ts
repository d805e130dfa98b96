import type { Database, Transaction } from '@deal-signals/db/database';
import type { CallKind, EsignDocument } from '@deal-signals/db/generated/client';
import type { Segment } from '../engagement/played-ranges.ts';
import { findRooms, type RoomRow } from '../rooms/room.ts';

/** A person in the room's People section. */
export interface MemberRow {
  identity: string;
  email: string | null;
  name: string | null;
  role: string | null;
  title: string | null;
}

/** A share link of the room. */
export interface LinkRow {
  id: string;
  email: string | null;
  name: string | null;
  demoId: string | null;
}

/** Events of one type by one actor through one link. */
export interface EventCountRow {
  distributionId: string | null;
  email: string | null;
  name: string | null;
  type: string;
  count: number;
  docIds: string[];
  lastAt: Date;
}

/** All views of one recording through one link. */
export interface WatchRow {
  distributionId: string;
  email: string | null;
  demoId: string;
  title: string | null;
  kind: CallKind;
  durationSeconds: number | null;
  views: number;
  watchSeconds: number;
  /** The ranges played over all views, overlaps merged. */
  segments: Segment[];
  lastAt: Date | null;
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

/** All reading sessions of one document through one link. */
export interface ReadingRow {
  docId: string;
  distributionId: string;
  email: string | null;
  name: string | null;
  seconds: number;
  sessions: number;
  lastAt: Date;
}

/** Counts of the action plan and the conversation. */
export interface CountsRow {
  total: number;
  done: number;
  doneByProspect: number;
  overdue: number;
  lastCompletedAt: Date | null;
  prospectMessages: number;
  sellerMessages: number;
  lastMessageAt: Date | null;
}

/** All rows that the metrics of a room are built from. */
export interface RoomMetricsRows {
  room: RoomRow;
  members: MemberRow[];
  links: LinkRow[];
  eventCounts: EventCountRow[];
  watches: WatchRow[];
  documents: DocumentRow[];
  readings: ReadingRow[];
  counts: CountsRow;
  esigns: EsignDocument[];
}

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
        members: await tx.roomMember.findMany({ where: { companyId, roomId }, orderBy: { identity: 'asc' } }),
        links: await findLinks(tx, companyId, roomId),
        eventCounts: await countEvents(tx, companyId, roomId),
        watches: await sumWatching(tx, companyId, roomId),
        documents: await findDocuments(tx, companyId, roomId),
        readings: await sumReading(tx, companyId, roomId),
        counts: await countPlanAndConversation(tx, companyId, roomId, now),
        esigns: await tx.esignDocument.findMany({ where: { companyId, roomId }, orderBy: { id: 'asc' } }),
      };
    },
    { isolationLevel: 'RepeatableRead' },
  );
}

function findLinks(tx: Transaction, companyId: number, roomId: string): Promise<LinkRow[]> {
  return tx.$queryRaw`
    SELECT id, recipient_email AS email, recipient_name AS name, call_id AS "demoId"
    FROM distributions WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid ORDER BY id`;
}

function countEvents(tx: Transaction, companyId: number, roomId: string): Promise<EventCountRow[]> {
  return tx.$queryRaw`
    SELECT distribution_id AS "distributionId", actor_email AS email, max(actor_name) AS name, type,
           count(*)::int AS count, max(occurred_at) AS "lastAt",
           coalesce(array_agg(DISTINCT doc_id::text) FILTER (WHERE doc_id IS NOT NULL), '{}') AS "docIds"
    FROM engagement_events WHERE company_id = ${companyId} AND buyer_space_id = ${roomId}::uuid
    GROUP BY distribution_id, actor_email, type
    ORDER BY distribution_id, actor_email, type`;
}

/**
 * Reads the recordings that were shared into the room or watched in it, one row per link. Sums of seconds are read as
 * float8, which is exact up to 2^53, because an `int` can overflow.
 */
function sumWatching(tx: Transaction, companyId: number, roomId: string): Promise<WatchRow[]> {
  return tx.$queryRaw`
    WITH watched AS (
      SELECT v.distribution_id, v.demo_id, max(v.actor_email) AS email, count(*)::int AS views,
             sum(v.watch_seconds)::float8 AS watch_seconds, max(v.ended_at) AS last_at, range_agg(p.ranges) AS ranges
      FROM engagement_views v
      -- Unite the ranges per view: joined to all segments, a busy room looks so large that the planner scans the table.
      CROSS JOIN LATERAL (
        SELECT range_agg(int4range((s.segment ->> 0)::int, (s.segment ->> 1)::int)) AS ranges
        FROM jsonb_array_elements(v.segments) AS s (segment)
      ) AS p
      WHERE v.company_id = ${companyId} AND v.buyer_space_id = ${roomId}::uuid AND v.kind = 'trailer'
      GROUP BY v.distribution_id, v.demo_id)
    SELECT w.distribution_id AS "distributionId", w.email, c.id AS "demoId", c.title, c.kind::text,
           c.duration_seconds AS "durationSeconds", w.views, w.watch_seconds AS "watchSeconds", w.last_at AS "lastAt",
           coalesce((SELECT jsonb_agg(jsonb_build_array(lower(r), upper(r))) FROM unnest(w.ranges) AS r), '[]')
             AS segments
    FROM watched w
    JOIN calls c ON c.company_id = ${companyId} AND c.id = w.demo_id
    UNION ALL
    SELECT d.id, d.recipient_email, c.id, c.title, c.kind::text, c.duration_seconds, 0, 0, NULL, '[]'
    FROM distributions d
    JOIN calls c ON c.company_id = d.company_id AND c.id = d.call_id
    WHERE d.company_id = ${companyId} AND d.room_id = ${roomId}::uuid
      AND NOT EXISTS (SELECT FROM watched w WHERE w.distribution_id = d.id AND w.demo_id = d.call_id)
    ORDER BY "demoId", "distributionId"`;
}

function findDocuments(tx: Transaction, companyId: number, roomId: string): Promise<DocumentRow[]> {
  return tx.$queryRaw`
    SELECT d.id, d.title, d.category, d.uploaded_by_prospect AS "uploadedByProspect",
           d.library_asset_id AS "libraryAssetId", count(e.id)::int AS opens
    FROM documents d
    LEFT JOIN engagement_events e
      ON e.company_id = d.company_id AND e.buyer_space_id = d.room_id AND e.doc_id = d.id AND e.type = 'doc_open'
    WHERE d.company_id = ${companyId} AND d.room_id = ${roomId}::uuid
    GROUP BY d.company_id, d.id
    ORDER BY d.title, d.id`;
}

function sumReading(tx: Transaction, companyId: number, roomId: string): Promise<ReadingRow[]> {
  return tx.$queryRaw`
    SELECT doc_id AS "docId", distribution_id AS "distributionId", max(actor_email) AS email, max(actor_name) AS name,
           sum(watch_seconds)::float8 AS seconds, count(*)::int AS sessions, max(ended_at) AS "lastAt"
    FROM engagement_views
    WHERE company_id = ${companyId} AND buyer_space_id = ${roomId}::uuid AND kind = 'document'
    GROUP BY doc_id, distribution_id
    ORDER BY doc_id, distribution_id`;
}

async function countPlanAndConversation(
  tx: Transaction,
  companyId: number,
  roomId: string,
  now: Date,
): Promise<CountsRow> {
  const [row] = await tx.$queryRaw<[CountsRow]>`
    SELECT a.*, m.*
    FROM (SELECT count(*)::int AS total, count(completed_at)::int AS done,
                 (count(*) FILTER (WHERE completed_by = 'prospect'))::int AS "doneByProspect",
                 (count(*) FILTER (WHERE completed_at IS NULL AND due_date < (${now}::timestamptz)::date))::int AS overdue,
                 max(completed_at) AS "lastCompletedAt"
          FROM action_items WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid) a
    CROSS JOIN
         (SELECT (count(*) FILTER (WHERE side = 'prospect'))::int AS "prospectMessages",
                 (count(*) FILTER (WHERE side = 'seller'))::int AS "sellerMessages",
                 max(sent_at) AS "lastMessageAt"
          FROM messages WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid) m`;
  return row;
}
