import type { Database, Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type EndpointState, STATE } from './endpoint-state.ts';
import { hasKey } from '../queue-key.ts';
import { LOG_AS_REMOVED } from './removed.ts';

// Reconciling: after an endpoint has changed its state, its pending deliveries follow. The transaction of the change moves
// the first batch, which is all there is for nearly every endpoint. The ticks that follow move the rest. If the workspace's
// API is switched off or on, all of its endpoints change at once, and the ticks move everything.

/** How many deliveries one transaction looks at, which bounds how long it holds their locks. */
const BATCH = 2_000;
/** How long a tick may spend reconciling endpoints before it claims. The next tick reconciles the rest. */
const BUDGET_MS = 2_000;
const MAX_ENDPOINTS_PER_TICK = 100;

/** What a batch has done: how many deliveries it moved, and whether there are more to look at. */
interface ReconciledBatch {
  moved: number;
  isUnfinished: boolean;
}

/**
 * Moves the pending deliveries of an endpoint that has changed its state: a first batch, and the ticks that follow move the rest. The
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

/** An endpoint, and where those still being reconciled are visited next. */
export interface EndpointKey {
  companyId: number;
  id: number;
}

/**
 * Continues what earlier changes of state have left over: the deliveries of an endpoint with a million pending ones are
 * moved in batches, each in its own transaction. If this process ends meanwhile, the next tick of any worker finds the
 * endpoint still marked.
 *
 * @param after only endpoints with a greater key are visited, so that of many, or of some that fail, each has its turn.
 * @param onError called for an endpoint that could not be settled now. The others are, and the tick continues.
 * @returns how many deliveries were moved, and the `after` of the next call.
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

/** The `after` of the first call, and of the one after the last endpoint. */
export const FIRST_ENDPOINT: EndpointKey = { companyId: 0, id: 0 };

/** Moves the next batch of an endpoint that is still marked. If somebody else has locked it, a later tick does it. */
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
 * Looks at a batch of the pending deliveries of an endpoint, oldest first, moves those that are not yet where its state asks for, and
 * remembers how far it came. A delivery that is claimed keeps its claim, so that its outcome can still be recorded: at a removed
 * endpoint the walk starts again until there is none.
 */
async function reconcileBatch(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  state: EndpointState,
  reconciledTo: bigint,
): Promise<ReconciledBatch> {
  const [batch] = await tx.$queryRaw<[{ looked: number; last: bigint | null; moved: number }]>(Prisma.sql`
    WITH looked_at AS MATERIALIZED (
      SELECT company_id, id FROM ${behind(companyId, endpointId, reconciledTo)} LIMIT ${BATCH}
    ), ${MOVED[state]}
    SELECT count(*)::int AS looked, max(id) AS last, (SELECT count(*) FROM moved)::int AS moved FROM looked_at`);
  const isUnfinished = batch.looked === BATCH;
  await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET reconciled_to = CASE
      WHEN ${isUnfinished} THEN ${batch.last}::bigint
      WHEN ${state === 'removed'} AND (
        SELECT true FROM ${behind(companyId, endpointId, 0n)} LIMIT 1
      ) THEN 0
      END
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  return { moved: batch.moved, isUnfinished };
}

const LOOKED_AT = hasKey(Prisma.sql`looked_at.company_id`, Prisma.sql`looked_at.id`);

/**
 * The pending deliveries of an endpoint with a greater id, oldest first. A range of endpoints, though of one, leaves the endpoint in the
 * order that is asked for, and no other index has that: of an equality, the planner could also walk the primary key.
 */
function behind(companyId: number, endpointId: number, id: bigint): Prisma.Sql {
  return Prisma.sql`
    pending_deliveries
    WHERE company_id = ${companyId} AND endpoint_id BETWEEN ${endpointId} AND ${endpointId} AND id > ${id}
    ORDER BY endpoint_id, id`;
}

/** What becomes of the deliveries that were looked at. */
const MOVED: Record<EndpointState, Prisma.Sql> = {
  enabled: Prisma.sql`moved AS (
    UPDATE pending_deliveries AS delivery
    SET next_attempt_at = clock_timestamp(), ready = claim_token IS NULL
    FROM looked_at WHERE ${LOOKED_AT} AND next_attempt_at IS NULL
    RETURNING delivery.id
  )`,
  disabled: Prisma.sql`moved AS (
    UPDATE pending_deliveries AS delivery
    SET next_attempt_at = NULL, ready = false
    FROM looked_at WHERE ${LOOKED_AT} AND next_attempt_at IS NOT NULL
    RETURNING delivery.id
  )`,
  removed: Prisma.sql`removed AS (
    DELETE FROM pending_deliveries AS delivery USING looked_at
    WHERE ${LOOKED_AT} AND claim_token IS NULL
    RETURNING delivery.*
  ), moved AS (${LOG_AS_REMOVED} RETURNING id)`,
};
