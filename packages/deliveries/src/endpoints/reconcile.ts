import type { Database, Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type EndpointState, STATE } from './endpoint-state.ts';
import { hasKey } from '../queue-key.ts';
import { LOG_AS_REMOVED } from './removed.ts';

// Reconciling: the pending deliveries of an endpoint follow a change of its state. The transaction of the change moves the first
// batch, which for nearly every endpoint is all of them. The following ticks move the rest. If a workspace's API is switched off
// or on, all of its endpoints change at once, and the ticks move all deliveries.

/** How many deliveries one transaction visits. It bounds how long the transaction holds its locks. */
const BATCH = 2_000;
/** How long a tick may spend reconciling endpoints before it claims. The next tick reconciles the rest. */
const BUDGET_MS = 2_000;
const MAX_ENDPOINTS_PER_TICK = 100;

/** The result of a batch: how many deliveries it moved, and whether there are more to visit. */
interface ReconciledBatch {
  moved: number;
  isUnfinished: boolean;
}

/**
 * Moves a first batch of the pending deliveries of an endpoint whose state has changed. The following ticks move the rest. The
 * caller has locked the endpoint's row.
 */
export async function reconcileEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  state: EndpointState,
): Promise<void> {
  await reconcileBatch(tx, companyId, endpointId, state, 0n);
}

/** The key of an endpoint. Endpoints are reconciled in key order. */
export interface EndpointKey {
  companyId: number;
  id: number;
}

/**
 * Reconciles endpoints whose state has changed earlier. Their deliveries, possibly a million, are moved in batches, each in its
 * own transaction. If this process ends, the next tick of any worker finds the endpoint still marked.
 *
 * @param after only endpoints with a greater key are visited, so that each has its turn even if there are many or some fail.
 * @param onError called for an endpoint that could not be reconciled now. The tick continues with the others.
 * @returns the number of moved deliveries, and the `after` of the next call.
 */
export async function reconcileEndpoints(
  db: Database,
  after: EndpointKey,
  onError: (error: unknown, endpoint: { companyId: number; endpointId: number }) => void,
): Promise<{ moved: number; after: EndpointKey }> {
  let endpoints = await db.$queryRaw<EndpointKey[]>`
    SELECT company_id AS "companyId", id FROM webhook_endpoints
    WHERE reconciled_to IS NOT NULL AND (company_id, id) > (${after.companyId}::int, ${after.id}::int)
    ORDER BY company_id, id
    LIMIT ${MAX_ENDPOINTS_PER_TICK}`;
  const next = endpoints.length < MAX_ENDPOINTS_PER_TICK ? FIRST_ENDPOINT : endpoints.at(-1)!;
  let total = 0;
  const endMs = performance.now() + BUDGET_MS;
  // In rounds, so that an endpoint with a long backlog does not delay the others.
  while (endpoints.length > 0) {
    const unfinished: EndpointKey[] = [];
    for (const endpoint of endpoints) {
      if (performance.now() > endMs) return { moved: total, after: next };
      const { companyId, id } = endpoint;
      const { moved, isUnfinished } = await db
        .transaction((tx) => reconcileNextBatch(tx, companyId, id))
        .catch((error: unknown) => {
          onError(error, { companyId, endpointId: id });
          return { moved: 0, isUnfinished: false };
        });
      total += moved;
      if (isUnfinished) unfinished.push(endpoint);
    }
    endpoints = unfinished;
  }
  return { moved: total, after: next };
}

/** The `after` of the first call, and of the call after the last endpoint. */
export const FIRST_ENDPOINT: EndpointKey = { companyId: 0, id: 0 };

/**
 * Moves the next batch of an endpoint that is still marked. If another transaction has locked the endpoint, a later tick moves
 * the batch.
 */
async function reconcileNextBatch(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<ReconciledBatch> {
  const [endpoint] = await tx.$queryRaw<{ state: EndpointState; reconciledTo: bigint }[]>`
    SELECT ${STATE}, reconciled_to AS "reconciledTo" FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${endpointId} AND reconciled_to IS NOT NULL
    FOR NO KEY UPDATE SKIP LOCKED`;
  if (endpoint === undefined) return { moved: 0, isUnfinished: false };
  return reconcileBatch(tx, companyId, endpointId, endpoint.state, endpoint.reconciledTo);
}

/**
 * Visits a batch of the pending deliveries of an endpoint, oldest first, moves those that do not match its state yet, and saves
 * its position. A claimed delivery keeps its claim, so that its outcome can still be recorded: at a removed endpoint, the walk
 * starts again until no delivery is left.
 */
async function reconcileBatch(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  state: EndpointState,
  reconciledTo: bigint,
): Promise<ReconciledBatch> {
  const [batch] = await tx.$queryRaw<[{ visited: number; last: bigint | null; moved: number }]>(Prisma.sql`
    WITH visited AS MATERIALIZED (
      SELECT company_id, id FROM ${pendingAfter(companyId, endpointId, reconciledTo)} LIMIT ${BATCH}
    ), ${MOVED[state]}
    SELECT count(*)::int AS visited, max(id) AS last, (SELECT count(*) FROM moved)::int AS moved FROM visited`);
  const isUnfinished = batch.visited === BATCH;
  await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET reconciled_to = CASE
      WHEN ${isUnfinished} THEN ${batch.last}::bigint
      WHEN ${state === 'removed'} AND (
        SELECT true FROM ${pendingAfter(companyId, endpointId, 0n)} LIMIT 1
      ) THEN 0
      END
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  return { moved: batch.moved, isUnfinished };
}

const VISITED = hasKey(Prisma.sql`visited.company_id`, Prisma.sql`visited.id`);

/**
 * Returns the pending deliveries of an endpoint with a greater id, oldest first. The endpoint is compared with BETWEEN, so that
 * it stays in the requested order, which only one index has. With equality, the planner might walk the primary key.
 */
function pendingAfter(companyId: number, endpointId: number, id: bigint): Prisma.Sql {
  return Prisma.sql`
    pending_deliveries
    WHERE company_id = ${companyId} AND endpoint_id BETWEEN ${endpointId} AND ${endpointId} AND id > ${id}
    ORDER BY endpoint_id, id`;
}

/** The statements that move the visited deliveries, by the state of the endpoint. */
const MOVED: Record<EndpointState, Prisma.Sql> = {
  open: Prisma.sql`moved AS (
    UPDATE pending_deliveries AS delivery
    SET next_attempt_at = clock_timestamp(), ready = claim_token IS NULL
    FROM visited WHERE ${VISITED} AND next_attempt_at IS NULL
    RETURNING delivery.id
  )`,
  closed: Prisma.sql`moved AS (
    UPDATE pending_deliveries AS delivery
    SET next_attempt_at = NULL, ready = false
    FROM visited WHERE ${VISITED} AND next_attempt_at IS NOT NULL
    RETURNING delivery.id
  )`,
  removed: Prisma.sql`removed AS (
    DELETE FROM pending_deliveries AS delivery USING visited
    WHERE ${VISITED} AND claim_token IS NULL
    RETURNING delivery.*
  ), moved AS (${LOG_AS_REMOVED} RETURNING id)`,
};
