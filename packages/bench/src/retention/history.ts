import type { Client } from 'pg';
import { refillTables } from '../data/refill-tables.ts';

/** How many deliveries there are, and how they are spread. */
export interface History {
  databaseUrl: string;
  deliveries: number;
  /** Workspaces 1 to this number, each with one endpoint and one event in its tables. */
  workspaces: number;
  /** How far back the first delivery was created. */
  days: number;
  say: (line: string) => void;
}

/** Deliveries that one statement writes. */
const STEP = 250_000;
/** Of a hundred deliveries, this many are dead, and as many are parked. The others have arrived. */
const PERCENT_DEAD = 2;
const ATTEMPTS_OF_DEAD = 8;

/**
 * Fills the tables with deliveries that were created at an even pace until now, each of an event of its own, with its attempts
 * and with what it is about: a room and a person.
 */
export async function fillHistory({
  databaseUrl,
  deliveries,
  workspaces,
  days,
  say,
}: History): Promise<void> {
  await refillTables({
    databaseUrl,
    tables: [
      'webhook_attempts',
      'webhook_delivery_subjects',
      'webhook_deliveries',
      'webhook_events',
      'ready_workspaces',
    ],
    fill: async (client) => {
      for (let from = 1; from <= deliveries; from += STEP) {
        say(`deliveries: ${(from - 1).toLocaleString('en')} of ${deliveries.toLocaleString('en')}`);
        await fill(client, { from, to: Math.min(deliveries, from + STEP - 1), deliveries, workspaces, days });
      }
    },
    say,
  });
}

async function fill(
  client: Client,
  {
    from,
    to,
    deliveries,
    workspaces,
    days,
  }: Omit<History, 'databaseUrl' | 'say'> & { from: number; to: number },
): Promise<void> {
  await client.query(`
    CREATE TEMPORARY TABLE added ON COMMIT DROP AS
    SELECT 1 + n % ${workspaces} AS company_id, 1000000000000 + n AS id, gen_random_uuid() AS event_id, n,
      now() - interval '${days} days' * (1 - n / ${deliveries}::float8) AS at,
      (CASE WHEN n / ${workspaces} % 100 < ${PERCENT_DEAD} THEN 'dead'
            WHEN n / ${workspaces} % 100 < ${2 * PERCENT_DEAD} THEN 'pending'
            ELSE 'delivered' END)::delivery_status AS status
    FROM generate_series(${from}::bigint, ${to}::bigint) AS n`);
  await client.query(`
    INSERT INTO webhook_events (company_id, id, type, created_at, body, buyer_space_id, person)
    SELECT company_id, event_id, 'engagement.recorded', at, repeat('x', 500), gen_random_uuid(), n || '@example.org'
    FROM added`);
  await client.query(`
    INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at,
      next_attempt_at, delivered_at, last_status_code, last_error, ready)
    SELECT added.company_id, added.id, endpoint.id, event_id, 'engagement.recorded', status,
      CASE status WHEN 'delivered' THEN 1 WHEN 'dead' THEN ${ATTEMPTS_OF_DEAD} ELSE 0 END, at, NULL,
      CASE WHEN status = 'delivered' THEN at + interval '1 second' END,
      CASE status WHEN 'delivered' THEN 200 WHEN 'dead' THEN 500 END,
      CASE status WHEN 'dead' THEN 'receiver responded with 500' END, false
    FROM added
    JOIN (SELECT company_id, min(id) AS id FROM webhook_endpoints GROUP BY company_id) AS endpoint USING (company_id)
    ORDER BY added.id`);
  await client.query(`
    INSERT INTO webhook_delivery_subjects (company_id, kind, subject, delivery_id)
    SELECT added.company_id, s.kind, s.subject, added.id
    FROM added JOIN webhook_events AS event ON event.company_id = added.company_id AND event.id = added.event_id
    CROSS JOIN LATERAL delivery_subjects(event.buyer_space_id, event.call_id, event.person) AS s`);
  await client.query(`
    INSERT INTO webhook_attempts (company_id, delivery_id, number, started_at, duration_ms, status_code)
    SELECT company_id, id, number, at, 20, CASE status WHEN 'delivered' THEN 200 ELSE 500 END
    FROM added
    CROSS JOIN LATERAL generate_series(
      1, CASE status WHEN 'delivered' THEN 1 WHEN 'dead' THEN ${ATTEMPTS_OF_DEAD} ELSE 0 END
    ) AS number`);
  await client.query('DROP TABLE added');
}
