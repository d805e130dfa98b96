import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import type { Client } from 'pg';
import { addBenchEndpoint, addWorkspace } from './delivery-workspaces.ts';
import { engagementEvent } from './engagement-event.ts';
import { refillTables } from './refill-tables.ts';

/** What most of the pending deliveries are doing. */
export type Backlog = 'due' | 'waiting' | 'parked' | 'due in many workspaces';

const WORKSPACE = 1;
const NOWHERE = 'https://127.0.0.1:1/';
/** Rows that one statement writes. */
const STEP = 500_000;

/** How many deliveries are pending, in which state, and what else is due. */
export interface PendingOptions {
  databaseUrl: string;
  db: Database;
  backlog: Backlog;
  pending: number;
  /** Workspaces that a backlog of many workspaces is divided among. */
  workspaces: number;
  /** Deliveries that are due at another endpoint, while the backlog is not. */
  due: number;
  say: (line: string) => void;
}

/**
 * Fills the deliveries of a database: a backlog at one endpoint, or at one endpoint of each workspace, and what is due next
 * to it. All deliveries of a workspace share one event.
 */
export async function buildPending(options: PendingOptions): Promise<void> {
  const { databaseUrl, db, backlog, pending, say } = options;
  await addWorkspace(db, WORKSPACE);
  const endpoint = await addBenchEndpoint(db, WORKSPACE, NOWHERE);
  const other = await addBenchEndpoint(db, WORKSPACE, NOWHERE);
  await captureRecords(db, [captureRecord.parse(engagementEvent(WORKSPACE, 'shared', 0))]);
  if (backlog === 'parked')
    await db.webhookEndpoint.updateMany({ where: { id: endpoint }, data: { enabled: false } });
  await refillTables({
    databaseUrl,
    tables: ['webhook_attempts', 'webhook_deliveries', 'ready_workspaces'],
    fill: async (client) => {
      if (backlog === 'due in many workspaces') await addWorkspaces(client, options.workspaces);
      for (let from = 1; from <= pending; from += STEP) {
        say(`pending deliveries: ${(from - 1).toLocaleString('en')} of ${pending.toLocaleString('en')}`);
        const workspaces = backlog === 'due in many workspaces' ? options.workspaces : 1;
        await addDeliveries(client, {
          from,
          to: Math.min(pending, from + STEP - 1),
          endpoint,
          backlog,
          workspaces,
        });
      }
      if (backlog === 'waiting' || backlog === 'parked') {
        await addDeliveries(client, {
          from: 1,
          to: options.due,
          endpoint: other,
          backlog: 'due',
          workspaces: 1,
        });
      }
      // The trigger that lists them is off while the tables are filled.
      await client.query(
        `INSERT INTO ready_workspaces (company_id)
         SELECT company_id FROM webhook_deliveries WHERE ready GROUP BY company_id ORDER BY min(id)`,
      );
    },
    say,
  });
}

/** Copies the workspace, its endpoint and its event until there are so many workspaces. */
async function addWorkspaces(client: Client, workspaces: number): Promise<void> {
  const numbers = `generate_series(${WORKSPACE + 1}, ${workspaces}) AS n`;
  await client.query(`INSERT INTO companies (id, name) SELECT n, 'Workspace ' || n FROM ${numbers}`);
  await client.query(
    `INSERT INTO webhook_endpoints (company_id, url, events, secret_ciphertext)
     SELECT n, url, events, secret_ciphertext
     FROM (SELECT * FROM webhook_endpoints ORDER BY id LIMIT 1) AS endpoint, ${numbers}`,
  );
  await client.query(
    `INSERT INTO webhook_events (company_id, id, type, created_at, body)
     SELECT n, id, type, created_at, body FROM webhook_events, ${numbers}`,
  );
}

interface Deliveries {
  from: number;
  to: number;
  /** The endpoint in the first workspace; each of the others has one of its own. */
  endpoint: number;
  backlog: Backlog;
  workspaces: number;
}

async function addDeliveries(
  client: Client,
  { from, to, endpoint, backlog, workspaces }: Deliveries,
): Promise<void> {
  const nextAttemptAt = {
    due: 'now()',
    'due in many workspaces': 'now()',
    waiting: `now() + interval '1 hour' + n * interval '1 millisecond'`,
    parked: 'NULL',
  }[backlog];
  await client.query(
    `INSERT INTO webhook_deliveries
       (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready)
     SELECT event.company_id,
       (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint * 1000) + row_number() OVER (ORDER BY n),
       endpoint.id, event.id, event.type, now(), ${nextAttemptAt},
       ${backlog !== 'waiting' && backlog !== 'parked'}
     FROM generate_series($1::int, $2::int) AS n
     JOIN webhook_events AS event ON event.company_id = ${WORKSPACE} + n % ${workspaces}
     JOIN webhook_endpoints AS endpoint
       ON endpoint.company_id = event.company_id AND (endpoint.company_id > ${WORKSPACE} OR endpoint.id = $3)
     ORDER BY n`,
    [from, to, endpoint],
  );
}
