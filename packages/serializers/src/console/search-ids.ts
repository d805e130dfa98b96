import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { FoundObject } from './search.ts';

/** Finds the objects of one workspace that have a UUID: at most one of each kind. */
export function findByUuid(db: Queryable, companyId: number, id: string): Promise<FoundObject[]> {
  return db.query<FoundObject>(Prisma.sql`
    SELECT 'room' AS kind, r.id::text AS id, r.name AS title, r.status::text AS subtitle, r.id::text AS "roomId",
           NULL AS "callId", NULL AS email
    FROM rooms r WHERE r.company_id = ${companyId} AND r.id = ${id}::uuid
    UNION ALL
    SELECT 'call', c.id::text, coalesce(c.title, c.prospect_name, c.kind::text), to_char(c.occurred_at, 'YYYY-MM-DD'),
           c.room_id::text, c.id::text, NULL
    FROM calls c WHERE c.company_id = ${companyId} AND c.id = ${id}::uuid
    UNION ALL
    SELECT 'person', p.id::text, coalesce(p.name, p.email, 'Person without a name'), room.name, p.room_id::text,
           NULL, p.email
    FROM people p JOIN rooms room ON room.company_id = p.company_id AND room.id = p.room_id
    WHERE p.company_id = ${companyId} AND p.id = ${id}::uuid
    UNION ALL
    SELECT 'share_link', d.id::text, coalesce(d.recipient_name, d.recipient_email, 'Share link'), room.name,
           d.room_id::text, d.call_id::text, d.recipient_email
    FROM distributions d JOIN rooms room ON room.company_id = d.company_id AND room.id = d.room_id
    WHERE d.company_id = ${companyId} AND d.id = ${id}::uuid
    UNION ALL
    SELECT 'event', e.id::text, e.type, to_char(e.created_at, 'YYYY-MM-DD HH24:MI:SS "UTC"'), NULL, NULL, NULL
    FROM webhook_events e WHERE e.company_id = ${companyId} AND e.id = ${id}::uuid`);
}

/** Finds the endpoint and the delivery of one workspace that have an integer id, including removed endpoints. */
export function findByNumber(db: Queryable, companyId: number, id: bigint): Promise<FoundObject[]> {
  return db.query<FoundObject>(Prisma.sql`
    SELECT 'endpoint' AS kind, e.id::text AS id, coalesce(e.description, e.url) AS title,
           CASE WHEN e.description IS NOT NULL THEN e.url END AS subtitle, NULL AS "roomId", NULL AS "callId",
           NULL AS email
    FROM webhook_endpoints e WHERE e.company_id = ${companyId} AND e.id = ${id}::bigint
    UNION ALL
    SELECT 'delivery', d.id::text, d.event_type, d.status::text, NULL, NULL, NULL
    FROM deliveries d WHERE d.company_id = ${companyId} AND d.id = ${id}::bigint`);
}
