import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { addDeliveries, addDelivery, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, feedId } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deliveryGauges, keepToIndexes, readDeliveryGauges } from '../src/delivery-gauges.ts';

let database: TestDatabase;
let endpointId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  endpointId = await addEndpoint(database.db, { url: 'https://receiver.example/' });
});
afterAll(() => database.drop());

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const CLAIM_TOKEN = '00000000-0000-4000-8000-000000000000';

test('the gauges count what is due, on hold and dead in all workspaces', async () => {
  const { db } = database;
  const add = (patch: Parameters<typeof addDelivery>[2]) => addDelivery(db, endpointId, patch);
  const none = { due: 0, oldestDueSeconds: 0, rateLimited: 0, claimed: 0, onHold: 0, dead: 0 };
  expect(await readDeliveryGauges(db)).toEqual(none);

  // None of these is due: one waits, one is being attempted, one is delivered.
  await add({ ready: false, nextAttemptAt: ago(-600) });
  const claimed = { ready: false, claimToken: CLAIM_TOKEN };
  await add({ ...claimed, nextAttemptAt: ago(60), leaseExpiresAt: ago(-600) });
  await add({ status: 'delivered', deliveredAt: ago(1) });
  expect(await readDeliveryGauges(db)).toEqual({ ...none, claimed: 1 });

  await add({ nextAttemptAt: ago(100) });
  const first = await readDeliveryGauges(db);
  expect(first).toMatchObject({ due: 1, onHold: 0, dead: 0 });
  expect(first.oldestDueSeconds).toBeGreaterThanOrEqual(100);
  expect(first.oldestDueSeconds).toBeLessThan(200);

  // Due, although no tick has made them ready yet: a wait that has ended, and the expired lease of a crashed worker.
  await add({ ready: false, nextAttemptAt: ago(1_000) });
  await add({ ...claimed, nextAttemptAt: ago(900), leaseExpiresAt: ago(500) });
  await add({ ready: false, nextAttemptAt: null });
  await add({ status: 'dead' });
  await add({ status: 'dead' });
  const all = await readDeliveryGauges(db);
  expect(all).toMatchObject({ due: 3, onHold: 1, dead: 2 });
  expect(all.oldestDueSeconds).toBeGreaterThanOrEqual(1_000);
  expect(all.oldestDueSeconds).toBeLessThan(2_000);

  // A claim counts neither as due nor as on hold, although its endpoint may have been disabled since.
  await add({ ...claimed, nextAttemptAt: ago(3_000), leaseExpiresAt: ago(-600) });
  await add({ ...claimed, nextAttemptAt: null, leaseExpiresAt: ago(-600) });
  const claimedToo = await readDeliveryGauges(db);
  expect(claimedToo).toMatchObject({ due: 3, claimed: 4, onHold: 1, dead: 2 });
  expect(claimedToo.oldestDueSeconds).toBeLessThan(2_000);

  expect(await readDeliveryGauges(db, 1)).toMatchObject({ due: 1, claimed: 1, onHold: 1, dead: 1 });
  await db.pendingDelivery.deleteMany({});
  await db.webhookDelivery.deleteMany({});
});

describe('a rate limit', () => {
  let limited: number;

  /**
   * Adds an endpoint with a rate limit of one a minute, with deliveries that have been due for an hour, and claims that were made
   * these seconds ago.
   */
  beforeEach(async () => {
    limited = await addEndpoint(database.db, { rateLimit: { create: { maxPerMinute: 1 } } });
    await addDeliveries(database.db, limited, 90, { nextAttemptAt: ago(3_600) });
    await addDelivery(database.db, limited, { requeued: true, nextAttemptAt: ago(3_600) });
  });
  afterEach(async () => {
    await database.db.pendingDelivery.deleteMany({});
    await database.db.endpointRateLimit.deleteMany({});
  });

  const claimAt = (...seconds: number[]) =>
    database.db.endpointRateLimit.updateMany({
      where: { endpointId: limited },
      data: { claimedAt: seconds.map(ago), claimed: seconds.map(() => 1) },
    });

  test('does not make deliveries late that wait only for it', async () => {
    await claimAt(20);
    expect(await readDeliveryGauges(database.db)).toMatchObject({
      due: 0,
      oldestDueSeconds: 0,
      rateLimited: 91,
    });
    expect(await readDeliveryGauges(database.db, 40)).toMatchObject({ due: 0, rateLimited: 40 });
  });

  test('does not hide late deliveries of endpoints with lower and higher ids, or of other workspaces', async () => {
    const { db } = database;
    await claimAt(20);
    await addDelivery(db, endpointId, { nextAttemptAt: ago(400) });
    expect(await readDeliveryGauges(db)).toMatchObject({ due: 1, rateLimited: 91 });
    expect((await readDeliveryGauges(db)).oldestDueSeconds).toBeGreaterThanOrEqual(400);
    const behind = await addEndpoint(db);
    await addDelivery(db, behind, { nextAttemptAt: ago(500) });
    await addDelivery(db, behind, { requeued: true, nextAttemptAt: ago(600) });
    await addCompany(db, COMPANY + 1);
    const other = await addEndpoint(db, { companyId: COMPANY + 1 });
    await addDelivery(db, other, { companyId: COMPANY + 1, nextAttemptAt: ago(700) });
    // The maximum count is reached before the deliveries of the limited endpoint.
    for (const maxCount of [undefined, 10]) {
      const gauges = await readDeliveryGauges(db, maxCount);
      expect(gauges).toMatchObject({ due: 4, rateLimited: maxCount ?? 91 });
      expect(gauges.oldestDueSeconds).toBeGreaterThanOrEqual(700);
      expect(gauges.oldestDueSeconds).toBeLessThan(1_000);
    }
  });

  test('makes deliveries late from the time at which it allows them, for any other obstacle', async () => {
    // The limit has allowed one claim for four minutes.
    await claimAt(320, 300);
    const open = await readDeliveryGauges(database.db);
    expect(open).toMatchObject({ due: 1, rateLimited: 90 });
    expect(open.oldestDueSeconds).toBeGreaterThanOrEqual(240);
    expect(open.oldestDueSeconds).toBeLessThan(300);
    // No claim was ever made.
    await claimAt();
    const never = await readDeliveryGauges(database.db);
    expect(never).toMatchObject({ due: 1, rateLimited: 90 });
    expect(never.oldestDueSeconds).toBeGreaterThanOrEqual(3_600);
  });
});

describe('a million deliveries are counted without reading more rows than the maximum', () => {
  const EACH = 150_000;
  const MAX_COUNT = 500;

  beforeAll(async () => {
    const { db } = database;
    const limited = await addEndpoint(db, {
      rateLimit: { create: { maxPerMinute: 1, claimedAt: [ago(0)], claimed: [1] } },
    });
    const { eventId } = await db.pendingDelivery.findFirstOrThrow({
      where: { id: await addDelivery(db, endpointId) },
    });
    await db.$executeRaw`
      INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, status, attempts, delivered_at)
      SELECT ${COMPANY}, ${feedId()}::bigint + n * 7 + kind, ${endpointId}::int, ${eventId}::uuid, 'engagement.recorded', now(),
        (CASE kind WHEN 0 THEN 'dead' ELSE 'delivered' END)::delivery_status, 1, CASE WHEN kind = 1 THEN now() END
      FROM generate_series(1, ${EACH}::int) AS n, generate_series(0, 1) AS kind`;
    await db.$executeRaw`
      INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, ready, next_attempt_at,
        claim_token, lease_expires_at)
      SELECT ${COMPANY}, ${feedId()}::bigint + n * 7 + kind, CASE kind WHEN 6 THEN ${limited}::int ELSE ${endpointId}::int END, ${eventId}::uuid,
        'engagement.recorded', now(), kind IN (2, 6), CASE WHEN kind IN (2, 3, 5, 6) THEN now() - interval '1 minute' END,
        CASE WHEN kind = 5 THEN gen_random_uuid() END, CASE WHEN kind = 5 THEN now() + interval '1 hour' END
      FROM generate_series(1, ${EACH}::int) AS n, generate_series(2, 6) AS kind`;
  }, 600_000);

  interface PlanNode {
    'Index Name'?: string;
    'Shared Hit Blocks': number;
    'Shared Read Blocks': number;
    Plans?: PlanNode[];
  }

  async function plan(tx: Transaction): Promise<PlanNode> {
    await keepToIndexes(tx);
    const [row] = await tx.$queryRaw<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>(
      Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${deliveryGauges(MAX_COUNT)}`,
    );
    return row['QUERY PLAN'][0].Plan;
  }

  const indexesOf = ({ 'Index Name': name, Plans = [] }: PlanNode): string[] => [
    ...(name === undefined ? [] : [name]),
    ...Plans.flatMap(indexesOf),
  ];

  async function rowsRead(tx: Transaction): Promise<{ scanned: number; fetched: number }> {
    const [counts] = await tx.$queryRaw<[{ scanned: number; fetched: number }]>`
      SELECT sum(seq_tup_read)::int AS scanned, sum(idx_tup_fetch)::int AS fetched
      FROM pg_stat_xact_user_tables WHERE relname IN ('pending_deliveries', 'webhook_deliveries')`;
    return counts;
  }

  test.each(['before', 'after'])('%s the planner has statistics', async (when) => {
    const { db } = database;
    if (when === 'after') await db.$executeRaw`ANALYZE pending_deliveries, webhook_deliveries`;
    const read = await db.transaction(async (tx) => {
      const before = await rowsRead(tx);
      const root = await plan(tx);
      const after = await rowsRead(tx);
      return { root, scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
    });
    expect(indexesOf(read.root).toSorted()).toEqual([
      'endpoint_rate_limits_pkey',
      'pending_deliveries_claimed_idx',
      // At the endpoint with the rate limit: the allowed deliveries, and those that wait for it. Then the deliveries of the
      // others.
      'pending_deliveries_ready_idx',
      'pending_deliveries_ready_idx',
      'pending_deliveries_ready_idx',
      'pending_deliveries_waiting_idx',
      'pending_deliveries_waiting_idx',
      'webhook_deliveries_open_dead_idx',
      'workspace_queue_pkey',
    ]);
    expect(read.scanned).toBe(0);
    expect(read.fetched).toBeLessThanOrEqual(6 * MAX_COUNT);
    const pages = read.root['Shared Hit Blocks'] + read.root['Shared Read Blocks'];
    expect(pages).toBeLessThanOrEqual(6 * 2 * MAX_COUNT);
    expect(await readDeliveryGauges(db, MAX_COUNT)).toMatchObject({
      due: MAX_COUNT,
      rateLimited: MAX_COUNT,
      claimed: MAX_COUNT,
      onHold: MAX_COUNT,
      dead: MAX_COUNT,
    });
  });
});
