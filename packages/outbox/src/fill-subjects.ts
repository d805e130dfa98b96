import type { Database } from '@deal-signals/db/database';
import { aboutBody, personOf, TYPES_WITH_SUBJECTS } from './about.ts';
import type { EventType } from './event-types.ts';

/** Deliveries that are read at once. The bodies of their events are, too, and a body can be large. */
const BATCH_SIZE = 200;

interface Batch {
  /** The last delivery of the batch; null if there is none. */
  last: bigint | null;
  /** How many deliveries it has. */
  size: number;
  /** Its events that do not say yet what they are about. */
  events: { id: string; type: EventType; body: string }[];
}

/** What `fillSubjects` did. */
export interface Filled {
  /** How many events it has read. */
  events: number;
  /** How many rows it has added to `webhook_delivery_subjects`. */
  subjects: number;
}

/**
 * Stores what events and their deliveries are about, for those that were recorded before the product stored that. Until
 * then, the lists of deliveries do not find them by room, call or person.
 *
 * Safe while the product runs: it takes no feed clock, moves nothing in a feed, and works on 200 deliveries at a time. It can
 * be stopped and run again at any time, and then adds what is missing.
 */
export async function fillSubjects(db: Database): Promise<Filled> {
  const filled: Filled = { events: 0, subjects: 0 };
  const companies = await db.company.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
  for (const { id: companyId } of companies) {
    let batch: Batch;
    let after = 0n;
    do {
      batch = await readBatch(db, companyId, after);
      if (batch.last === null) break;
      await fillEvents(db, companyId, batch.events);
      filled.events += batch.events.length;
      // Of all deliveries of the batch: an older version of the product may have sent an event again that was filled before.
      filled.subjects += await fillDeliveries(db, companyId, after, batch.last);
      after = batch.last;
    } while (batch.size === BATCH_SIZE);
  }
  return filled;
}

async function readBatch(db: Database, companyId: number, after: bigint): Promise<Batch> {
  const [batch] = await db.$queryRaw<[Batch]>`
    WITH d AS MATERIALIZED (
      SELECT id, event_id FROM webhook_deliveries
      WHERE company_id = ${companyId} AND id > ${after}
      ORDER BY webhook_deliveries.id LIMIT ${BATCH_SIZE}
    )
    SELECT (SELECT max(id) FROM d) AS last, (SELECT count(*) FROM d)::int AS size, (
      SELECT coalesce(json_agg(json_build_object('id', e.id, 'type', e.type, 'body', e.body)), '[]')
      FROM webhook_events e
      WHERE e.company_id = ${companyId} AND e.id IN (SELECT event_id FROM d) AND e.type = ANY (${TYPES_WITH_SUBJECTS})
        AND e.buyer_space_id IS NULL AND e.call_id IS NULL AND e.person IS NULL
    ) AS events`;
  return batch;
}

async function fillEvents(db: Database, companyId: number, events: Batch['events']): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ id, type, body }) => {
    const about = aboutBody(type, body);
    return { id, roomId: about.roomId, callId: about.callId, person: personOf(about) };
  });
  await db.$executeRaw`
    UPDATE webhook_events SET buyer_space_id = n."roomId", call_id = n."callId", person = n.person
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (id uuid, "roomId" uuid, "callId" uuid, person text)
    WHERE webhook_events.company_id = ${companyId} AND webhook_events.id = n.id`;
}

/** Adds what the deliveries between two ids, without the first, are about. @returns how many rows were missing. */
function fillDeliveries(db: Database, companyId: number, after: bigint, last: bigint): Promise<number> {
  return db.$executeRaw`
    INSERT INTO webhook_delivery_subjects (company_id, kind, subject, delivery_id)
    SELECT ${companyId}, s.kind, s.subject, d.id
    FROM webhook_deliveries d
    JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id
    CROSS JOIN LATERAL delivery_subjects(e.buyer_space_id, e.call_id, e.person) AS s
    WHERE d.company_id = ${companyId} AND d.id > ${after} AND d.id <= ${last}
    ON CONFLICT DO NOTHING`;
}
