import { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import {
  createTestDatabase,
  TEST_LIMITS,
  type TestDatabase,
} from '@deal-signals/test-kit/databases/test-database';
import { addAttempt, addDelivery, addEndpoint, DELIVERED } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, feedId, second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { beginAttempt } from '../../src/attempts/begin-attempt.ts';
import { recordOutcome, recordOutcomesInBatches } from '../../src/attempts/record-outcomes.ts';
import { claimLanes } from '../../src/claims/claim-lanes.ts';
import { claimReady, claimReadyAlone } from '../../src/claims/claim-ready.ts';
import { markDue } from '../../src/claims/mark-due.ts';
import { rotateWorkspaces } from '../../src/claims/workspace-queue.ts';
import { releaseClaims } from '../../src/claims/release-claims.ts';
import { takeTick } from '../../src/claims/ticks.ts';
import { readDeliveryGauges } from '../../src/delivery-gauges.ts';
import { FIRST_ENDPOINT, reconcileEndpoints } from '../../src/endpoints/reconcile.ts';
import { removeOldDeliveries } from '../../src/retention/old-deliveries.ts';

// A worker keeps one plan for each of its statements, and the queue is often empty. A plan that was made for an empty queue must
// not walk all deliveries of a workspace once there are many.

/** The entries of a workspace take 60 pages of the smallest index. */
const MANY = 20_000;
/** Maximum rows of the table and entries of indexes that one run may read. It handles one or two deliveries. */
const MAX_ROWS = 100;
/** Maximum pages of indexes that one run may read or write. Entries that do not match are only visible in this count. */
const MAX_PAGES = 45;

/** A workspace with many endpoints: since PostgreSQL 18, an index scan can skip to the next one. */
const BROAD = 2;
const ENDPOINTS = 200;
const LIMITS = { batch: 2, endpointLimit: 20, workspaceLimit: 20, leaseMs: 30_000 };
const LEASE = { leaseMs: 30_000, leaseNeededMs: 0 };
const RULES = { retryScheduleMs: [3_600_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };
const responded = (status: number) => ({ kind: 'responded', status, excerpt: '', durationMs: 5 }) as const;

let database: TestDatabase;
/** A session of a worker. */
let worker: Database;
let endpointId: number;
let broad: number;

beforeEach(async () => {
  const { db, url } = (database = await createTestDatabase());
  worker = new Database({ url, poolSize: 1, applicationName: 'worker', keepPlans: true, ...TEST_LIMITS });
  await db.$executeRaw`ALTER TABLE pending_deliveries SET (autovacuum_enabled = false)`;
  await addCompany(db);
  endpointId = await addEndpoint(db);
  await addCompany(db, BROAD);
  await db.$executeRaw`
    INSERT INTO webhook_endpoints (company_id, url, events, secret_ciphertext)
    SELECT ${BROAD}, 'https://receiver.example/', '{*}', '' FROM generate_series(2, ${ENDPOINTS}::int)`;
  // The last id, so a scan that stops at its delivery finds nothing before it.
  broad = await addEndpoint(db, { companyId: BROAD });
});
afterEach(async () => {
  await worker.close();
  await database.drop();
});

/** The work of a worker at the queue. Each entry prepares its input and returns what the worker runs. */
const WORK: Record<string, () => Promise<() => Promise<unknown>>> = {
  async 'taking a tick'() {
    return () => takeTick(worker, 0);
  },
  async 'marking due'() {
    await addDelivery(database.db, endpointId, { ready: false, nextAttemptAt: second(0) });
    return () => markDue(worker);
  },
  async claiming() {
    await addDelivery(database.db, endpointId);
    return () => claimReady(worker, LIMITS);
  },
  async 'claiming alone'() {
    await addDelivery(database.db, endpointId);
    return () => worker.queryTransaction((tx) => claimReadyAlone(tx, LIMITS));
  },
  async 'claiming of one endpoint'() {
    await addDelivery(database.db, broad, { companyId: BROAD });
    const lane = {
      companyId: BROAD,
      endpointId: broad,
      isRequeued: false,
      room: 2,
      isRateLimited: false,
      slots: 2,
    };
    return () => claimLanes(worker, [lane], LEASE.leaseMs);
  },
  async 'sending a workspace to the end of the queue'() {
    return () => worker.transaction((tx) => rotateWorkspaces(tx, [COMPANY]));
  },
  async beginning() {
    const claim = await addAttempt(database.db, broad, { companyId: BROAD });
    return () => beginAttempt(worker, claim, LEASE);
  },
  async 'beginning with a new lease'() {
    const claim = await addAttempt(database.db, broad, { companyId: BROAD });
    return () => beginAttempt(worker, claim, { ...LEASE, leaseNeededMs: 3_600_000 });
  },
  async 'beginning at a disabled endpoint'() {
    const disabled = await addEndpoint(database.db, { companyId: BROAD, enabled: false });
    const claim = await addAttempt(database.db, disabled, { companyId: BROAD });
    return () => beginAttempt(worker, claim, LEASE);
  },
  async 'beginning at a removed endpoint'() {
    const removed = await addEndpoint(database.db, {
      companyId: BROAD,
      enabled: false,
      removedAt: second(0),
    });
    const claim = await addAttempt(database.db, removed, { companyId: BROAD });
    return () => beginAttempt(worker, claim, LEASE);
  },
  async releasing() {
    const claim = await addAttempt(database.db, broad, { companyId: BROAD });
    return () => releaseClaims(worker, [claim]);
  },
  async 'recording a success'() {
    const attempt = await addAttempt(database.db, broad, { companyId: BROAD });
    return () => recordOutcomesInBatches(worker, RULES)(attempt, responded(200));
  },
  async 'recording a failure'() {
    const attempt = await addAttempt(database.db, broad, { companyId: BROAD });
    return () => recordOutcomesInBatches(worker, RULES)(attempt, responded(500));
  },
  async disabling() {
    const gone = await addEndpoint(database.db);
    const attempt = await addAttempt(database.db, gone);
    return () => recordOutcome(worker, RULES, attempt, responded(410));
  },
  'reconciling an enabled endpoint': () => reconciling({}),
  'reconciling a disabled endpoint': () => reconciling({ enabled: false }),
  'reconciling a removed endpoint': () => reconciling({ enabled: false, removedAt: second(0) }),
  async 'removing old deliveries'() {
    const old = { createdAt: second(0), ...DELIVERED };
    const id = await addDelivery(database.db, endpointId, old);
    return () => removeOldDeliveries(worker, { companyId: COMPANY, before: second(30) }, id - 1n);
  },
  async 'reading the gauges'() {
    // The statement has four counts of the queue, each of which reads that many rows and entries.
    return () => readDeliveryGauges(worker, 10);
  },
};

async function reconciling(fields: Parameters<typeof addEndpoint>[1]): Promise<() => Promise<unknown>> {
  const reconcilingId = await addEndpoint(database.db, { reconciledTo: 0n, ...fields });
  await addDelivery(database.db, reconcilingId, { ready: false, nextAttemptAt: null });
  return () =>
    reconcileEndpoints(worker, FIRST_ENDPOINT, (error) => {
      throw error;
    });
}

interface Read {
  rows: number;
  pages: number;
}

/** Reads how many rows, index entries and index pages of the queue were read. */
async function readOfQueue(): Promise<Read> {
  await worker.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [read] = await worker.$queryRaw<[Read]>`
    SELECT (SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables WHERE relname = 'pending_deliveries')::int
        + sum(idx_tup_read)::int AS rows,
      (SELECT sum(idx_blks_hit + idx_blks_read) FROM pg_statio_user_indexes WHERE relname = 'pending_deliveries')::int AS pages
    FROM pg_stat_user_indexes WHERE relname = 'pending_deliveries'`;
  return read;
}

/**
 * Adds many ready deliveries to the one workspace, and as many ready and as many claimed ones to the other; neither is in the
 * queue of workspaces. The planner has no statistics of them.
 */
async function addMany(): Promise<void> {
  const { eventId } = await addAttempt(database.db, endpointId);
  const add = (companyId: number, endpoint: Prisma.Sql, isClaimed: boolean) => database.db.$executeRaw`
    INSERT INTO pending_deliveries
      (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, claim_token, lease_expires_at)
    SELECT ${companyId}, ${feedId(second(60)) + (isClaimed ? BigInt(MANY) : 0n)}::bigint + n, ${endpoint}, ${eventId}::uuid, 'engagement.recorded', now(), now(),
      ${!isClaimed}, CASE WHEN ${isClaimed} THEN gen_random_uuid() END, CASE WHEN ${isClaimed} THEN now() + interval '1 hour' END
    FROM generate_series(1, ${MANY}::int) AS n`;
  await add(COMPANY, Prisma.sql`${endpointId}::int`, false);
  const [{ ids }] = await database.db.$queryRaw<[{ ids: number[] }]>`
    SELECT array_agg(id) AS ids FROM webhook_endpoints WHERE company_id = ${BROAD} AND enabled`;
  const spread = Prisma.sql`(${ids}::int[])[1 + n % ${ENDPOINTS}::int]`;
  await add(BROAD, spread, false);
  await add(BROAD, spread, true);
  await database.db.$executeRaw`DELETE FROM workspace_queue WHERE company_id = ${BROAD}`;
}

/** Empties the queue, without vacuuming its row versions. */
async function empty(): Promise<void> {
  await database.db.$executeRaw`DELETE FROM pending_deliveries`;
  await database.db.$executeRaw`DELETE FROM workspace_queue`;
}

// Among indexes of the same cost, the planner takes the newest. A restore makes the primary key the oldest, and REINDEX
// CONCURRENTLY makes any index the newest.
describe.each([
  'pending_deliveries_pkey',
  'pending_deliveries_endpoint_idx',
  'pending_deliveries_ready_idx',
  'pending_deliveries_waiting_idx',
  'pending_deliveries_claimed_idx',
])('where %s is the newest index', (newest) => {
  test.each([
    ['nothing', true],
    ['one delivery at a time', false],
  ])('a plan from a queue with %s does not walk a queue with many deliveries', async (_what, isEmpty) => {
    const runs = [];
    for (const prepare of Object.values(WORK)) runs.push(await prepare());
    await empty();
    await database.db.$executeRawUnsafe(`REINDEX INDEX CONCURRENTLY ${newest}`);
    await database.db.$executeRaw`VACUUM pending_deliveries`;
    if (isEmpty) for (const run of runs) await run();
    // Some statements run only if there is a delivery.
    for (const prepare of Object.values(WORK)) await (await prepare())();
    await empty();
    await addMany();

    const tooMuch: Record<string, Read> = {};
    for (const [name, prepare] of Object.entries(WORK)) {
      const run = await prepare();
      const before = await readOfQueue();
      await run();
      const after = await readOfQueue();
      const read = { rows: after.rows - before.rows, pages: after.pages - before.pages };
      if (read.rows > MAX_ROWS || read.pages > MAX_PAGES) tooMuch[name] = read;
    }
    expect(tooMuch).toEqual({});
  });
});
