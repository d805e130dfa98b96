import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { WhyObject } from './schema.ts';

/** The object to explain, and when it was written or last changed. */
export interface ExplainedObject extends WhyObject {
  at: Date;
}

/** Reads a room, a call, an event or a delivery of one workspace; null if it has no such object. */
export async function findExplainedObject(
  db: Queryable,
  companyId: number,
  kind: WhyObject['kind'],
  id: string,
): Promise<ExplainedObject | null> {
  const [row] = await db.query<Omit<ExplainedObject, 'kind'>>(QUERIES[kind](companyId, id));
  return row === undefined ? null : { ...row, kind };
}

const QUERIES: Record<WhyObject['kind'], (companyId: number, id: string) => Prisma.Sql> = {
  room: (companyId, id) => Prisma.sql`
    SELECT id::text, name AS title, last_activity_at AS at, id::text AS "roomId", NULL AS "callId", NULL AS "eventId",
           NULL AS "eventType"
    FROM rooms WHERE company_id = ${companyId} AND id = ${id}::uuid`,
  call: (companyId, id) => Prisma.sql`
    SELECT id::text, coalesce(title, prospect_name) AS title, updated_at AS at, room_id::text AS "roomId",
           id::text AS "callId", NULL AS "eventId", NULL AS "eventType"
    FROM calls WHERE company_id = ${companyId} AND id = ${id}::uuid`,
  event: (companyId, id) => Prisma.sql`
    SELECT id::text, type AS title, created_at AS at, buyer_space_id::text AS "roomId", call_id::text AS "callId",
           id::text AS "eventId", type AS "eventType"
    FROM webhook_events WHERE company_id = ${companyId} AND id = ${id}::uuid`,
  delivery: (companyId, id) => Prisma.sql`
    SELECT d.id::text, d.event_type AS title, e.created_at AS at, e.buyer_space_id::text AS "roomId",
           e.call_id::text AS "callId", d.event_id::text AS "eventId", d.event_type AS "eventType"
    FROM deliveries d JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id
    WHERE d.company_id = ${companyId} AND d.id = ${id}::bigint`,
};
