import type { Database, Transaction } from '@deal-signals/db/database';
import { type EndpointState, REMOVED_ERROR, STATE } from './endpoint-state.ts';

// Settling: after an endpoint has changed its state, its pending deliveries follow. The transaction of the change moves
// the first batch, which is all there is for nearly every endpoint. The ticks that follow move the rest. If the workspace's
// API is switched off or on, all of its endpoints change at once, and the ticks move everything.

/** How many deliveries one transaction moves, which bounds how long it holds their locks. */
const BATCH = 2_000;
/** How long a tick may spend settling endpoints before it claims. The next tick settles the rest. */
const BUDGET_MS = 2_000;
const MAX_ENDPOINTS_PER_TICK = 100;

/**
 * Moves a batch of an endpoint's pending deliveries, oldest first, to what its state asks for, and marks the endpoint as
 * settling while there are more. The caller has locked the endpoint's row.
 *
 * @returns how many deliveries were moved.
 */
export async function settleEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  state: EndpointState,
): Promise<number> {
  const moved = await moveBatch(tx, companyId, endpointId, state);
  await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET settling = ${moved === BATCH} OR (${state === 'removed'} AND EXISTS (
      SELECT FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND status = 'pending'))
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  return moved;
}

/**
 * Continues what earlier changes of state have left over: the deliveries of an endpoint with a million pending ones are
 * moved in batches, each in its own transaction. If this process ends meanwhile, the next tick of any worker finds the
 * endpoint still marked.
 *
 * @param onError called for an endpoint that could not be settled now. The others are, and the tick continues.
 * @returns how many deliveries were moved.
 */
export async function settleEndpoints(
  db: Database,
  onError: (error: unknown, endpoint: { companyId: number; endpointId: number }) => void,
): Promise<number> {
  let endpoints = await db.$queryRaw<{ companyId: number; id: number }[]>`
    SELECT company_id AS "companyId", id FROM webhook_endpoints
    WHERE settling
    ORDER BY company_id, id
    LIMIT ${MAX_ENDPOINTS_PER_TICK}`;
  let total = 0;
  const endMs = performance.now() + BUDGET_MS;
  // In rounds, so that an endpoint with a long backlog does not delay the others.
  while (endpoints.length > 0) {
    const unfinished: typeof endpoints = [];
    for (const endpoint of endpoints) {
      if (performance.now() > endMs) return total;
      const { companyId, id } = endpoint;
      const moved = await db
        .transaction((tx) => settleNextBatch(tx, companyId, id))
        .catch((error: unknown) => {
          onError(error, { companyId, endpointId: id });
          return 0;
        });
      total += moved;
      if (moved === BATCH) unfinished.push(endpoint);
    }
    endpoints = unfinished;
  }
  return total;
}

/** Moves the next batch of an endpoint that is still marked. If somebody else has locked it, a later tick does it. */
async function settleNextBatch(tx: Transaction, companyId: number, endpointId: number): Promise<number> {
  const [endpoint] = await tx.$queryRaw<{ state: EndpointState }[]>`
    SELECT ${STATE} FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${endpointId} AND settling
    FOR NO KEY UPDATE SKIP LOCKED`;
  return endpoint === undefined ? 0 : settleEndpoint(tx, companyId, endpointId, endpoint.state);
}

/** A delivery whose attempt is under way keeps its claim, so that its outcome can still be recorded. */
function moveBatch(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  state: EndpointState,
): Promise<number> {
  if (state === 'enabled') {
    return tx.$executeRaw`
      UPDATE webhook_deliveries
      SET next_attempt_at = clock_timestamp(), ready = claim_token IS NULL
      WHERE company_id = ${companyId} AND id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
          AND status = 'pending' AND next_attempt_at IS NULL
        ORDER BY id
        LIMIT ${BATCH}
        FOR NO KEY UPDATE
      ))`;
  }
  if (state === 'disabled') {
    return tx.$executeRaw`
      UPDATE webhook_deliveries
      SET next_attempt_at = NULL, ready = false
      WHERE company_id = ${companyId} AND id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
          AND status = 'pending' AND next_attempt_at IS NOT NULL
        ORDER BY id
        LIMIT ${BATCH}
        FOR NO KEY UPDATE
      ))`;
  }
  return tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'dead', next_attempt_at = NULL, ready = false, last_error = ${REMOVED_ERROR}
    WHERE company_id = ${companyId} AND id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
        AND status = 'pending' AND claim_token IS NULL
      ORDER BY id
      LIMIT ${BATCH}
      FOR NO KEY UPDATE
    ))`;
}
