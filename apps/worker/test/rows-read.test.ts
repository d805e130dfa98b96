import type { Transaction } from '@deal-signals/db/database';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { alignDeliveries } from '@deal-signals/webhooks/endpoint-state';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimReady, markDue } from '../src/claims.ts';
import { COMPANY, createDelivery, createEndpoint } from './webhook-rows.ts';

// However many deliveries are pending, a statement of the queue reads the rows that it takes and no others.

const ROWS = 100_000;

let database: TestDatabase;
let busy: number;
let parked: number;

beforeAll(async () => {
  const { db } = (database = await createTestDatabase());
  busy = await createEndpoint(db, 'https://busy.example/');
  parked = await createEndpoint(db, 'https://parked.example/', { enabled: false });
  const { eventId } = await db.webhookDelivery.findUniqueOrThrow({
    where: { id: await createDelivery(db, busy) },
  });
  // Per ten deliveries: three parked, two ready, two waiting for later, two claimed, one delivered; 100 are due in all.
  await db.$executeRaw`
    INSERT INTO webhook_deliveries (company_id, endpoint_id, event_id, event_type, created_at, status, ready,
      next_attempt_at, claim_token, lease_expires_at, delivered_at)
    SELECT ${COMPANY}, CASE WHEN kind < 3 THEN ${parked}::int ELSE ${busy}::int END, ${eventId}::uuid,
      'engagement.recorded', now(),
      (CASE WHEN kind = 9 THEN 'delivered' ELSE 'pending' END)::delivery_status,
      kind IN (3, 4),
      CASE WHEN kind IN (5, 6) THEN now() + (CASE WHEN n % 1000 = 5 THEN -1 ELSE 1 END) * interval '1 hour'
           WHEN kind BETWEEN 3 AND 8 THEN now() END,
      CASE WHEN kind IN (7, 8) THEN gen_random_uuid() END,
      CASE WHEN kind IN (7, 8) THEN now() + interval '1 hour' END,
      CASE WHEN kind = 9 THEN now() END
    FROM (SELECT n, n % 10 AS kind FROM generate_series(1, ${ROWS}::int) AS n) AS numbered`;
});
afterAll(() => database.drop());

interface RowsRead {
  /** By reading the whole table. */
  scanned: number;
  /** By way of an index. */
  fetched: number;
}

/** Runs something and counts the delivery rows that the server read for it. */
function rowsReadBy(run: (tx: Transaction) => Promise<unknown>): Promise<RowsRead> {
  return database.db.$transaction(async (tx) => {
    const before = await rowsRead(tx);
    await run(tx);
    const after = await rowsRead(tx);
    return { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
  });
}

/** What this connection has read and not reported yet; a transaction keeps its reports to itself until its end. */
async function rowsRead(tx: Transaction): Promise<RowsRead> {
  const [counts] = await tx.$queryRaw<RowsRead[]>`
    SELECT seq_tup_read::int AS scanned, idx_tup_fetch::int AS fetched
    FROM pg_stat_xact_user_tables WHERE relname = 'webhook_deliveries'`;
  return counts!;
}

describe.each(['before', 'after'])('%s the planner has statistics', (when) => {
  beforeAll(async () => {
    if (when === 'after') await database.db.$executeRaw`ANALYZE webhook_deliveries`;
  });

  test('a claim', async () => {
    const { scanned, fetched } = await rowsReadBy(async (tx) => {
      expect(await claimReady(tx, 50, 30_000)).toHaveLength(50);
    });
    expect(scanned).toBe(0);
    // Once to lock them, once to change them; those that the claim before this one took may still be in the index.
    expect(fetched).toBeLessThanOrEqual(200);
  });

  test('marking what is due', async () => {
    const moved = when === 'before' ? 100 : 0;
    const { scanned, fetched } = await rowsReadBy(async (tx) => expect(await markDue(tx)).toBe(moved));
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThanOrEqual(200 + moved);
  });

  test('an endpoint with nothing to move', async () => {
    for (const [endpointId, enabled] of [
      [busy, true],
      [parked, false],
    ] as const) {
      const read = await rowsReadBy((tx) => alignDeliveries(tx, COMPANY, endpointId, enabled));
      expect(read).toEqual({ scanned: 0, fetched: 0 });
    }
  });

  test('an endpoint with more to move than a batch', async () => {
    const { scanned, fetched } = await rowsReadBy((tx) => alignDeliveries(tx, COMPANY, parked, true));
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThanOrEqual(6_000);
    await database.db.$transaction((tx) => alignDeliveries(tx, COMPANY, parked, false));
  });
});
