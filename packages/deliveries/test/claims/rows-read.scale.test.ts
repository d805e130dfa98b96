import type { Database, Transaction } from '@deal-signals/db/database';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { addDelivery, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, feedId, second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { type Attempt, readClaims } from '../../src/attempts/begin-attempt.ts';
import { recordOutcomesInBatches } from '../../src/attempts/record-outcomes.ts';
import type { Claim } from '../../src/claims/claim.ts';
import { claimReady } from '../../src/claims/claim-ready.ts';
import { markDue } from '../../src/claims/mark-due.ts';
import { rotateWorkspaces } from '../../src/claims/workspace-queue.ts';
import { disableEndpoint, enableEndpoint, removeEndpoint } from '../../src/endpoints/change-state.ts';
import { FIRST_ENDPOINT, reconcileEndpoints } from '../../src/endpoints/reconcile.ts';
import { dismissDead } from '../../src/admin-actions/dismiss.ts';
import { retryDead } from '../../src/admin-actions/retry.ts';

// A statement of the queue reads only the rows that it takes, however many deliveries are pending.

const ON_HOLD = 1_000_000;
const BACKLOG = 20_000;
const OTHERS = 100_000;
const CLAIMED = 30;
/** Claims of the same workspace at another endpoint. */
const CLAIMED_ELSEWHERE = 10;
const WORKSPACES = 10_000;
const BATCH = 50;
const BUILD_TIMEOUT_MS = 600_000;

let database: TestDatabase;
let hanging: number;
let busy: number;
let onHold: number;
let finished: number;

/** Runs a statement without a timeout, because a busy machine takes minutes for a million rows. */
async function build(statement: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Returns how many dead letters were moved. */
async function countMoved(moving: ReturnType<typeof retryDead>): Promise<number> {
  const moved = await moving;
  if (typeof moved === 'string') throw new Error(moved);
  return moved.count;
}

beforeAll(async () => {
  const { db } = (database = await createTestDatabase());
  await addCompany(db);
  hanging = await addEndpoint(db, { url: 'https://hanging.example/' });
  busy = await addEndpoint(db, { url: 'https://busy.example/' });
  onHold = await addEndpoint(db, { url: 'https://on-hold.example/', enabled: false });
  finished = await addEndpoint(db, { url: 'https://finished.example/' });
  const claimed = await addEndpoint(db, { url: 'https://claimed.example/' });
  const { eventId } = await db.pendingDelivery.findFirstOrThrow({
    where: { id: await addDelivery(db, hanging) },
  });
  await build(`
    INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, ready)
    SELECT ${COMPANY}, ${feedId()}::bigint + n, ${onHold}, '${eventId}'::uuid, 'engagement.recorded', now(), false
    FROM generate_series(1, ${ON_HOLD}) AS n`);
  // One endpoint has a backlog with smaller ids than all other due deliveries, and part of it is claimed.
  await build(`
    INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at,
      ready, claim_token, lease_expires_at)
    SELECT ${COMPANY}, ${feedId()}::bigint + ${ON_HOLD} + n, ${hanging}, '${eventId}'::uuid, 'engagement.recorded', now(), now(), n > ${CLAIMED},
      CASE WHEN n <= ${CLAIMED} THEN gen_random_uuid() END,
      CASE WHEN n <= ${CLAIMED} THEN now() + interval '1 hour' END
    FROM generate_series(1, ${BACKLOG}) AS n`);
  // Of ten deliveries two are ready, two wait and six are finished. 100 of those that wait are due. Some of the first hundred are
  // claimed at another endpoint.
  const numbered = `
    SELECT n, ${feedId()}::bigint + ${ON_HOLD + BACKLOG} + n AS id, n % 10 AS kind,
      n % 10 = 4 AND n < 10 * ${CLAIMED_ELSEWHERE} AS is_claimed,
      '${second(0).toISOString()}'::timestamptz + n * interval '1 second' AS created_at
    FROM generate_series(1, ${OTHERS}) AS n`;
  await build(`
    INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, ready,
      next_attempt_at, claim_token, lease_expires_at)
    SELECT ${COMPANY}, id, CASE WHEN is_claimed THEN ${claimed} ELSE ${busy} END,
      '${eventId}'::uuid, 'engagement.recorded', created_at, kind < 2,
      now() + CASE WHEN kind < 2 OR is_claimed THEN 0 WHEN n % 1000 = 2 THEN -1 ELSE 1 END * interval '1 hour',
      CASE WHEN is_claimed THEN gen_random_uuid() END,
      CASE WHEN is_claimed THEN now() + interval '1 hour' END
    FROM (${numbered}) AS numbered WHERE kind < 4 OR is_claimed`);
  await build(`
    INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, status, attempts, delivered_at)
    SELECT ${COMPANY}, id, ${finished}, '${eventId}'::uuid, 'engagement.recorded', created_at,
      (CASE WHEN kind < 8 THEN 'delivered' ELSE 'dead' END)::delivery_status, 1, CASE WHEN kind < 8 THEN now() END
    FROM (${numbered}) AS numbered WHERE kind >= 4 AND NOT is_claimed`);
}, BUILD_TIMEOUT_MS);
afterAll(() => database.drop());

interface RowsRead {
  /** Rows read by scanning the table. */
  scanned: number;
  /** Rows read through an index. */
  fetched: number;
}

/** Counts the rows of a table that some work reads, and rolls the work back. */
async function rowsReadBy(
  run: (tx: Transaction) => Promise<unknown>,
  table:
    | 'pending_deliveries'
    | 'webhook_deliveries'
    | 'workspace_queue'
    | 'endpoint_rate_limits' = 'pending_deliveries',
): Promise<RowsRead> {
  class RolledBack extends Error {}
  let read: RowsRead | undefined;
  await database.db
    .transaction(async (tx) => {
      const before = await rowsRead(tx, table);
      await run(tx);
      const after = await rowsRead(tx, table);
      read = { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  return read!;
}

/** Returns what the transaction has read so far. The server publishes these counts only when the transaction ends. */
async function rowsRead(tx: Transaction, table: string): Promise<RowsRead> {
  const [counts] = await tx.$queryRaw<RowsRead[]>`
    SELECT seq_tup_read::int AS scanned, idx_tup_fetch::int AS fetched
    FROM pg_stat_xact_user_tables WHERE relname = ${table}`;
  return counts!;
}

describe.each(['before', 'after'])('%s the planner has statistics', (when) => {
  beforeAll(async () => {
    if (when === 'after') await build('ANALYZE pending_deliveries, webhook_deliveries');
  }, BUILD_TIMEOUT_MS);

  const endpointsOf = async (tx: Transaction, claims: { deliveryId: bigint }[]) => {
    const ids = claims.map(({ deliveryId }) => deliveryId);
    const rows = await tx.pendingDelivery.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
    return rows.map(({ endpointId }) => endpointId);
  };

  test('a claim in id order reads only what it takes', async () => {
    const { scanned, fetched } = await rowsReadBy((tx) =>
      claimReady(tx, { batch: 50, endpointLimit: 1_000, workspaceLimit: 10_000, leaseMs: 30_000 }),
    );
    expect(scanned).toBe(0);
    // A batch of each of the two endpoints with ready deliveries, one row each to lock and to change, and the current claims.
    expect(fetched).toBeLessThanOrEqual(2 * 50 + 2 * 50 + CLAIMED + CLAIMED_ELSEWHERE + 10);
  });

  test('a claim reads at most a batch of the backlog of an endpoint at its limit', async () => {
    let claims: { deliveryId: bigint }[] = [];
    const { scanned, fetched } = await rowsReadBy(async (tx) => {
      ({ claims } = await claimReady(tx, {
        batch: 50,
        endpointLimit: CLAIMED + 10,
        workspaceLimit: 10_000,
        leaseMs: 30_000,
      }));
    });
    expect(await endpointsOf(database.db, claims)).toEqual([
      ...Array.from({ length: 10 }, () => hanging),
      ...Array.from({ length: 40 }, () => busy),
    ]);
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThanOrEqual(10 + 50 + 2 * 50 + CLAIMED + CLAIMED_ELSEWHERE + 10);
  });

  test('a workspace at its limit costs no more than its claims', async () => {
    const limits = { batch: 50, endpointLimit: 1_000, workspaceLimit: 20, leaseMs: 30_000 };
    const { scanned, fetched } = await rowsReadBy(async (tx) => {
      expect((await claimReady(tx, limits)).claims).toEqual([]);
    });
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThanOrEqual(20);
  });

  test('marking due deliveries reads only those', async () => {
    const { scanned, fetched } = await rowsReadBy(async (tx) => expect(await markDue(tx)).toBe(100));
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThanOrEqual(2 * 100 + 10);
  });

  test('enabling and disabling an endpoint with a million deliveries on hold reads one batch', async () => {
    const enabling = await rowsReadBy((tx) => enableEndpoint(tx, COMPANY, onHold));
    expect(enabling.scanned).toBe(0);
    expect(enabling.fetched).toBeLessThanOrEqual(4_000 + 10);
    const both = await rowsReadBy(async (tx) => {
      await enableEndpoint(tx, COMPANY, onHold);
      await disableEndpoint(tx, COMPANY, onHold, 'again');
    });
    expect(both.scanned).toBe(0);
    expect(both.fetched).toBeLessThanOrEqual(4 * 4_000 + 10);
  });

  test('removing an endpoint with a million deliveries on hold reads one batch', async () => {
    const { scanned, fetched } = await rowsReadBy((tx) => removeEndpoint(tx, COMPANY, onHold));
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThanOrEqual(4_000 + 10);
  });

  test('retrying dead letters since a given time reads only those', async () => {
    const since = second(OTHERS - 1_000);
    let count: unknown;
    const { scanned, fetched } = await rowsReadBy(async (tx) => {
      count = await countMoved(retryDead(tx, COMPANY, finished, { since }));
    }, 'webhook_deliveries');
    expect(scanned).toBe(0);
    expect(count).toBeGreaterThan(150);
    expect(fetched).toBeLessThanOrEqual(2 * Number(count));
  });

  test('dismissing dead letters, and then retrying the others, reads only those', async () => {
    const { _max: last } = await database.db.webhookDelivery.aggregate({ _max: { createdAt: true } });
    const moment = new Date(Number(last.createdAt) - 95_000 * 1_000);
    let count: unknown;
    const dismissing = await rowsReadBy(async (tx) => {
      count = await countMoved(dismissDead(tx, COMPANY, finished, { before: moment }));
    }, 'webhook_deliveries');
    expect(dismissing.scanned).toBe(0);
    expect(count).toBeGreaterThan(500);
    expect(dismissing.fetched).toBeLessThanOrEqual(2 * Number(count));
    const both = await rowsReadBy(async (tx) => {
      await dismissDead(tx, COMPANY, finished, { before: moment });
      count = await countMoved(retryDead(tx, COMPANY, finished, {}));
    }, 'webhook_deliveries');
    expect(both.scanned).toBe(0);
    // For this transaction, the rows that were just dismissed may still be in the index.
    expect(both.fetched - dismissing.fetched).toBeLessThanOrEqual(2 * Number(count) + dismissing.fetched);
  });

  // A prepared statement keeps one generic plan, as in the sessions of the worker.
  describe('with generic plans', () => {
    const anyParameters = async (tx: Transaction) => {
      await tx.$executeRaw`SET LOCAL plan_cache_mode = force_generic_plan`;
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
    };
    const limits = { batch: 50, endpointLimit: 1_000, workspaceLimit: 10_000, leaseMs: 30_000 };

    test('a claim reads only what it takes', async () => {
      const { scanned, fetched } = await rowsReadBy(async (tx) => {
        await anyParameters(tx);
        expect((await claimReady(tx, limits)).claims).toHaveLength(50);
      });
      expect(scanned).toBe(0);
      expect(fetched).toBeLessThanOrEqual(2 * 50 + 2 * 50 + CLAIMED + CLAIMED_ELSEWHERE + 10);
    });

    test('beginning and recording attempts reads their deliveries, and none of a thousand other claims', async () => {
      let begun: (Attempt | null)[] = [];
      let claims: Claim[] = [];
      const claiming = async (tx: Transaction) => {
        await anyParameters(tx);
        ({ claims } = await claimReady(tx, { ...limits, batch: 1_000 }));
      };
      const beginning = async (tx: Transaction) => {
        await claiming(tx);
        begun = await readClaims(tx, claims.slice(0, 20));
        expect(begun.filter((attempt) => attempt !== null)).toHaveLength(20);
      };
      const recording = async (tx: Transaction) => {
        await beginning(tx);
        const rules = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };
        const record = recordOutcomesInBatches(tx as Database, rules);
        const result = { kind: 'responded', status: 200, excerpt: 'ok', durationMs: 5 } as const;
        const recorded = await Promise.all(begun.map((attempt) => record(attempt!, result)));
        expect(recorded.every(({ written }) => written)).toBe(true);
      };
      const toClaim = await rowsReadBy(claiming);
      const toBegin = await rowsReadBy(beginning);
      const toRecord = await rowsReadBy(recording);
      expect(toRecord.scanned).toBe(0);
      // A row is read to lock it and to change it. A changed row leaves an index entry behind for this transaction.
      expect(toBegin.fetched - toClaim.fetched).toBeLessThanOrEqual(4 * 20);
      expect(toRecord.fetched - toBegin.fetched).toBeLessThanOrEqual(6 * 20);
    });
  });

  test('finding endpoints to reconcile reads no delivery', async () => {
    const read = await rowsReadBy((tx) =>
      reconcileEndpoints(tx as typeof database.db, FIRST_ENDPOINT, () => {}),
    );
    expect(read).toEqual({ scanned: 0, fetched: 0 });
  });
});

describe('with 10,000 more workspaces that have deliveries ready', () => {
  beforeAll(async () => {
    await build(`
      INSERT INTO companies (id, name) SELECT 1000 + n, 'Company ' || n FROM generate_series(1, ${WORKSPACES}) AS n`);
    await build(`
      INSERT INTO webhook_endpoints (company_id, id, url, events, secret_ciphertext)
      SELECT 1000 + n, 1000 + nth, 'https://receiver.example/', '{*}', ''
      FROM generate_series(1, ${WORKSPACES}) AS n, generate_series(1, 2) AS nth`);
    await build(`
      INSERT INTO endpoint_rate_limits (company_id, endpoint_id, max_per_minute)
      SELECT company_id, id, 60 FROM webhook_endpoints WHERE company_id > 1000`);
    await build(`
      INSERT INTO webhook_events (company_id, id, type, created_at, body)
      SELECT 1000 + n, gen_random_uuid(), 'engagement.recorded', now(), '{}'
      FROM generate_series(1, ${WORKSPACES}) AS n`);
    await build(`
      INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
      SELECT event.company_id, ${feedId()}::bigint + 2 * n + nth, 1000 + nth, event.id, event.type, now(), now()
      FROM webhook_events AS event, generate_series(1, 2) AS nth, generate_series(1, 3) AS n
      WHERE event.company_id > 1000`);
  }, BUILD_TIMEOUT_MS);

  describe.each(['before', 'after'])('%s the planner has statistics', (when) => {
    beforeAll(async () => {
      if (when === 'after') {
        await build('ANALYZE pending_deliveries, workspace_queue, webhook_endpoints, endpoint_rate_limits');
      }
    }, BUILD_TIMEOUT_MS);

    const limits = { batch: BATCH, endpointLimit: 50, workspaceLimit: 75, leaseMs: 30_000 };

    test('a claim reads only the first deliveries of the workspaces that it visits', async () => {
      let workspaces: number[] = [];
      const { scanned, fetched } = await rowsReadBy(async (tx) => {
        ({ workspaces } = await claimReady(tx, limits));
      });
      expect(workspaces).toHaveLength(BATCH);
      expect(scanned).toBe(0);
      // For each workspace, the first row of each of its two endpoints, which also fill its slots, and one row each to lock and
      // to change. Before that, the planner reads the first and the last value of both key columns that it joins by.
      expect(fetched).toBeLessThanOrEqual(2 * BATCH + 2 * BATCH + CLAIMED + 10 + 4);
    });

    test('a claim reads only the queue entries of these workspaces', async () => {
      const { scanned, fetched } = await rowsReadBy((tx) => claimReady(tx, limits), 'workspace_queue');
      expect(scanned).toBe(0);
      expect(fetched).toBeLessThanOrEqual(BATCH);
    });

    test('a claim reads only the rate limits of their endpoints', async () => {
      const { scanned, fetched } = await rowsReadBy(async (tx) => {
        expect((await claimReady(tx, limits)).claims).toHaveLength(BATCH);
      }, 'endpoint_rate_limits');
      expect(scanned).toBe(0);
      // Each is read to find it, to lock it and to change it. A changed row leaves an index entry behind for this transaction.
      expect(fetched).toBeLessThanOrEqual(5 * 2 * BATCH);
    });

    test('a claim reads no further deliveries of endpoints that have used up their rate limit', async () => {
      const { scanned, fetched } = await rowsReadBy(async (tx) => {
        await tx.$executeRaw`
          UPDATE endpoint_rate_limits SET claimed_at = ARRAY[now()], claimed = ARRAY[max_per_minute] WHERE company_id < 1100`;
        const { workspaces } = await claimReady(tx, limits);
        expect(workspaces).toHaveLength(BATCH);
      });
      expect(scanned).toBe(0);
      expect(fetched).toBeLessThanOrEqual(4 * BATCH + 2 * BATCH + CLAIMED + 10);
    });

    test('a claim counts the deliveries of the other workspaces if more than one slot each is left for them', async () => {
      let claims: Claim[] = [];
      const { scanned, fetched } = await rowsReadBy(async (tx) => {
        await tx.$executeRaw`
          UPDATE endpoint_rate_limits SET claimed_at = ARRAY[now()], claimed = ARRAY[max_per_minute] WHERE company_id <= 1030`;
        ({ claims } = await claimReady(tx, limits));
      });
      expect(claims).toHaveLength(BATCH);
      expect(scanned).toBe(0);
      // The first rows of all workspaces, the current claims, the claimable rows of those that have not used up their rate
      // limits, and for each of their slots a row of both endpoints and one to lock.
      const served = BATCH - 30;
      const counted = 6 * (served - 1) + (BATCH - served + 1);
      expect(fetched).toBeLessThanOrEqual(2 * BATCH + CLAIMED + CLAIMED_ELSEWHERE + counted + 3 * BATCH + 10);
    });

    test('moving them to the end of the queue reads one delivery each', async () => {
      const run = async (tx: Transaction) => rotateWorkspaces(tx, (await claimReady(tx, limits)).workspaces);
      const claim = await rowsReadBy((tx) => claimReady(tx, limits));
      const both = await rowsReadBy(run);
      expect(both.scanned).toBe(0);
      expect(both.fetched - claim.fetched).toBeLessThanOrEqual(2 * BATCH);
      const queue = await rowsReadBy(run, 'workspace_queue');
      expect(queue.scanned).toBe(0);
      // The queue is read to claim, to lock, to check, and to move.
      expect(queue.fetched).toBeLessThanOrEqual(5 * BATCH);
    });
  });
});
