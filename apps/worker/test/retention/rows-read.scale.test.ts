import { type ErasureRun, buildErasureTools } from '@deal-signals/capture/erasures/erasure-run';
import { findAttempts, rewriteBodies } from '@deal-signals/capture/erasures/webhook-copies';
import { Database, type Transaction } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { firstIdAt } from '@deal-signals/db/feeds/position';
import { RESEND_BATCH, resendBatch } from '@deal-signals/deliveries/admin-actions/resend';
import { RETENTION_BATCH, removeOldDeliveries } from '@deal-signals/deliveries/retention/old-deliveries';
import {
  createTestDatabase,
  TEST_LIMITS,
  type TestDatabase,
} from '@deal-signals/test-kit/databases/test-database';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

// Operations on the log, the attempts and the subjects read only the rows that they handle, however many there are.

const ENDPOINTS = 4;
const DELIVERIES = 1_000_000;
const EVENTS = DELIVERIES / ENDPOINTS;
const PEOPLE = 1_000;
const BUILD_TIMEOUT_MS = 900_000;
const FIRST_ID = firstIdAt(new Date(Date.UTC(2026, 0, 1)));
/** A tenth of the deliveries are older. */
const BEFORE = new Date(Date.UTC(2026, 0, 11));
const TABLES = [
  'pending_deliveries',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_events',
  'webhook_delivery_subjects',
] as const;

let database: TestDatabase;
let endpointIds: number[];

/** Runs statements with a longer timeout, because a busy machine takes minutes for a million rows. */
async function build(...statements: string[]): Promise<void> {
  const limits = { ...TEST_LIMITS, statementTimeoutMs: BUILD_TIMEOUT_MS };
  const db = new Database({ url: database.url, poolSize: 1, applicationName: 'test', ...limits });
  try {
    for (const statement of statements) await db.$executeRawUnsafe(statement);
  } finally {
    await db.close();
  }
}

beforeAll(async () => {
  const { db } = (database = await createTestDatabase());
  await addCompany(db);
  endpointIds = [];
  for (let n = 0; n < ENDPOINTS; n += 1) endpointIds.push(await addEndpoint(db));
  // A hundred days of events, each sent to all endpoints. One of ten deliveries is dead.
  const stepMs = (100 * 86_400_000) / EVENTS;
  const event = `
    SELECT n, ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS id, 'person ' || n % ${PEOPLE} AS identity,
      ${FIRST_ID} + 1000 * floor(n * ${stepMs})::bigint AS first_id,
      '2026-01-01Z'::timestamptz + n * ${stepMs} * interval '1 millisecond' AS at
    FROM generate_series(0::bigint, ${EVENTS - 1}) AS n`;
  await build(
    `INSERT INTO webhook_events (company_id, id, type, created_at, body, buyer_space_id, identity)
     SELECT ${COMPANY}, id, 'engagement.view.recorded', at, '{"id":"' || n || '","data":{"id":"' || n || '"}}', '${uuid(1)}', identity FROM (${event}) AS e`,
    `INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, delivered_at)
     SELECT ${COMPANY}, first_id + k - 1, endpoint_id, e.id, 'engagement.view.recorded',
       (CASE WHEN (n + k) % 10 = 0 THEN 'dead' ELSE 'delivered' END)::delivery_status, 1, at, CASE WHEN (n + k) % 10 > 0 THEN at END
     FROM (${event}) AS e, unnest(ARRAY[${endpointIds.join()}]) WITH ORDINALITY AS endpoint (endpoint_id, k)`,
    `INSERT INTO webhook_attempts (company_id, delivery_id, number, started_at, response_excerpt)
     SELECT company_id, id, 1, created_at, 'ok' FROM webhook_deliveries`,
    `INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
     SELECT ${COMPANY}, s.kind, s.subject, first_id, ${ENDPOINTS}
     FROM (${event}) AS e CROSS JOIN LATERAL delivery_subjects(e.id, 'engagement.view.recorded', '${uuid(1)}', NULL, e.identity) AS s`,
  );
}, BUILD_TIMEOUT_MS);
afterAll(() => database.drop());

type RowsRead = Record<(typeof TABLES)[number] | 'scanned', number>;

/** Returns how many rows the transaction has read so far: by scans of whole tables, and of each table through an index. */
async function rowsRead(tx: Transaction): Promise<RowsRead> {
  const rows = await tx.$queryRaw<{ name: keyof RowsRead; scanned: number; fetched: number }[]>`
    SELECT relname AS name, seq_tup_read::int AS scanned, idx_tup_fetch::int AS fetched
    FROM pg_stat_xact_user_tables WHERE relname = ANY (${[...TABLES]}::text[])`;
  const read = { scanned: 0 } as RowsRead;
  for (const { name, scanned, fetched } of rows) {
    read[name] = fetched;
    read.scanned += scanned;
  }
  return read;
}

class RolledBack extends Error {}

/** Counts the rows that some work reads in a transaction that holds the feed clock, and rolls it back. */
async function rowsReadBy(run: (tx: Transaction) => Promise<unknown>): Promise<RowsRead> {
  let read: RowsRead | undefined;
  const startedMs = performance.now();
  await database.db
    .transaction(async (tx) => {
      const before = await rowsRead(tx);
      await run(tx);
      const after = await rowsRead(tx);
      read = Object.fromEntries(
        Object.entries(after).map(([name, count]) => [name, count - (before[name as keyof RowsRead] ?? 0)]),
      ) as RowsRead;
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  console.log(`${(performance.now() - startedMs).toFixed(0)} ms`, read);
  return read!;
}
/** Makes code that opens a transaction run in one that will be rolled back. */
const within = (tx: Transaction) => ({ transaction: <T>(run: (tx: Transaction) => Promise<T>) => run(tx) });

const run = {
  companyId: COMPANY,
  id: uuid(9),
  kind: 'person',
  roomId: null,
  identity: 'person 7',
  email: null,
  names: [],
  eventEnd: 0n,
  viewEnd: 0n,
} as unknown as ErasureRun;

describe.each(['before', 'after'])('%s the planner has statistics', (when) => {
  beforeAll(async () => {
    if (when === 'after') await build('ANALYZE');
  }, BUILD_TIMEOUT_MS);

  test.each([
    ['the first', 0n],
    ['a later', FIRST_ID + 1_000n * 86_400_000n],
  ])('%s batch of retention reads only what it removes', async (_which, cursor) => {
    let removed: object = {};
    const read = await rowsReadBy(async (tx) => {
      ({ removed } = await removeOldDeliveries(within(tx), { companyId: COMPANY, before: BEFORE }, cursor));
    });
    const events = RETENTION_BATCH / ENDPOINTS;
    expect(removed).toEqual({
      webhook_deliveries: RETENTION_BATCH,
      webhook_attempts: RETENTION_BATCH,
      webhook_events: expect.closeTo(events, -1),
    });
    expect(read.scanned).toBe(0);
    // Visited, locked and removed; and a lookup of each event that finds no rows.
    expect(read.webhook_deliveries).toBeLessThanOrEqual(5 * RETENTION_BATCH);
    expect(read.webhook_attempts).toBeLessThanOrEqual(3 * RETENTION_BATCH);
    expect(read.webhook_events).toBeLessThanOrEqual(3 * RETENTION_BATCH);
    expect(read.webhook_delivery_subjects).toBeLessThanOrEqual(20 * events);
  });

  test('the bodies of events and the subjects of their person are rewritten, each found by its full key', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => uuid(7 + PEOPLE * n).replace('0', '1'));
    const read = await rowsReadBy((tx) => rewriteBodies(within(tx), run, buildErasureTools(run), ids));
    expect(read.scanned).toBe(0);
    expect(read.webhook_events).toBeLessThanOrEqual(3 * ids.length);
    expect(read.webhook_delivery_subjects).toBeLessThanOrEqual(5 * ids.length);
    expect(read.webhook_delivery_subjects).toBeGreaterThan(0);
  });
});

// Without statistics the planner reads the rest of a workspace for a few rows, and sorts it.
describe('once the planner has statistics', () => {
  test('a batch of a resend reads the deliveries that it visits, and the ranges of their events', async () => {
    let count = 0;
    const rows = { reads: {} as RowsRead };
    await inFeedTransaction(database.db, COMPANY, async (feed) => {
      const before = await rowsRead(feed.tx);
      const filter = { since: new Date(Date.UTC(2026, 1, 1)), until: null, eventTypes: null, cursor: 0n };
      ({ count } = (await resendBatch(feed, endpointIds[2]!, filter)) as { count: number });
      const after = await rowsRead(feed.tx);
      for (const name of ['scanned', ...TABLES] as const)
        rows.reads[name] = after[name] - (before[name] ?? 0);
      throw new RolledBack();
    }).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    const read = rows.reads;
    console.log(read);
    expect([count, read.scanned]).toEqual([RESEND_BATCH, 0]);
    expect(read.webhook_deliveries).toBeLessThanOrEqual((ENDPOINTS + 2) * RESEND_BATCH);
    expect(read.webhook_events).toBeLessThanOrEqual(2 * RESEND_BATCH);
    expect(read.webhook_delivery_subjects).toBeLessThanOrEqual(2 * RESEND_BATCH);
  });

  test('a part of an erasure reads the attempts that it visits, and a subject of each', async () => {
    let keys: string[] = [];
    const after = String(FIRST_ID + 1_000n * 86_400_000n * 50n);
    const read = await rowsReadBy(async (tx) => {
      ({ keys } = await findAttempts(tx, run, buildErasureTools(run), after));
    });
    // No row is about the pseudonym, which the events do not have yet.
    expect([keys, read.scanned]).toEqual([[], 0]);
    expect(read.webhook_attempts).toBeLessThanOrEqual(1_010);
    expect(read.webhook_delivery_subjects).toBeLessThanOrEqual(1_010);
    expect(read.webhook_deliveries).toBe(0);
  });
});
