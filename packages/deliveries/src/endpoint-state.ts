import type { Database, Transaction } from '@deal-signals/db/database';

// Whoever changes an endpoint's state or counters locks its row first and its deliveries after it, in id order, so that
// two of them never wait for each other. The lock leaves foreign-key checks alone: capturing an event for an endpoint
// does not wait for an attempt that is being recorded.

/**
 * What an endpoint is for its deliveries.
 * - `enabled`: they are attempted when due.
 * - `disabled`: pending ones are parked, without a time for the next attempt.
 * - `removed`: pending ones are dead. Nothing leads out of it.
 */
export type EndpointState = 'enabled' | 'disabled' | 'removed';

/** So many deliveries follow their endpoint's state in one transaction, which keeps its locks short. */
const SETTLE_BATCH = 2_000;
/** So long a tick goes on moving before it claims; whatever is left is for the next one. */
const SETTLE_BUDGET_MS = 2_000;
const MOST_ENDPOINTS_A_TICK = 100;

/** Why a delivery is dead whose endpoint was removed, for the delivery log. */
export const REMOVED_ERROR = 'the endpoint was removed';

interface EndpointRow {
  enabled: boolean;
  removed: boolean;
}

/** Locks an endpoint until the end of the transaction; null when the workspace has no such endpoint. */
export async function lockEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<EndpointState | null> {
  const [endpoint] = await tx.$queryRaw<EndpointRow[]>`
    SELECT enabled, removed_at IS NOT NULL AS removed
    FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${endpointId}
    FOR NO KEY UPDATE`;
  return stateOf(endpoint);
}

/**
 * Disables an endpoint and parks its pending deliveries: they stay pending, without a time for the next attempt.
 *
 * @param reason why, for the endpoint's owner. An endpoint that is disabled already keeps the reason it has.
 * @returns whether the endpoint was enabled before.
 */
export async function disableEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  reason: string,
): Promise<boolean> {
  if ((await lockEndpoint(tx, companyId, endpointId)) !== 'enabled') return false;
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET enabled = false, disabled_reason = ${reason}
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  await settle(tx, companyId, endpointId, 'disabled');
  return true;
}

/**
 * Enables an endpoint: its failures are forgotten and its parked deliveries are due at once.
 * @returns whether the endpoint was disabled before.
 */
export async function enableEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<boolean> {
  if ((await lockEndpoint(tx, companyId, endpointId)) !== 'disabled') return false;
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET enabled = true, disabled_reason = NULL, consecutive_failures = 0
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  await settle(tx, companyId, endpointId, 'enabled');
  return true;
}

/**
 * Removes an endpoint for good: nothing is sent to it any more and its pending deliveries are dead. The row and the log
 * of its deliveries stay.
 *
 * @returns whether there was an endpoint to remove.
 */
export async function removeEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<boolean> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null || state === 'removed') return false;
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET enabled = false, removed_at = clock_timestamp()
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  await settle(tx, companyId, endpointId, 'removed');
  return true;
}

/**
 * Goes on with what changes of state have left over: an endpoint with a million pending deliveries has them moved in
 * batches, each in a transaction of its own, by the ticks that follow. Whatever process ends meanwhile, the next tick of
 * any dispatcher finds the endpoint still marked.
 *
 * @param onError told of an endpoint that could not be settled now; the others are, and the tick goes on.
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
    LIMIT ${MOST_ENDPOINTS_A_TICK}`;
  let total = 0;
  const endMs = performance.now() + SETTLE_BUDGET_MS;
  // In rounds, so that one with a long backlog does not hold up the others.
  while (endpoints.length > 0) {
    const unfinished: typeof endpoints = [];
    for (const endpoint of endpoints) {
      if (performance.now() > endMs) return total;
      const { companyId, id } = endpoint;
      const moved = await db
        .$transaction((tx) => settleNext(tx, companyId, id))
        .catch((error: unknown) => {
          onError(error, { companyId, endpointId: id });
          return 0;
        });
      total += moved;
      if (moved === SETTLE_BATCH) unfinished.push(endpoint);
    }
    endpoints = unfinished;
  }
  return total;
}

/** Moves the next batch of an endpoint that is still marked. One that somebody else has locked is left to a later tick. */
async function settleNext(tx: Transaction, companyId: number, endpointId: number): Promise<number> {
  const [endpoint] = await tx.$queryRaw<EndpointRow[]>`
    SELECT enabled, removed_at IS NOT NULL AS removed
    FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${endpointId} AND settling
    FOR NO KEY UPDATE SKIP LOCKED`;
  const state = stateOf(endpoint);
  return state === null ? 0 : settle(tx, companyId, endpointId, state);
}

function stateOf(endpoint: EndpointRow | undefined): EndpointState | null {
  if (endpoint === undefined) return null;
  if (endpoint.removed) return 'removed';
  return endpoint.enabled ? 'enabled' : 'disabled';
}

/**
 * Makes a batch of pending deliveries, the oldest first, follow the state of their endpoint, whose row the caller has
 * locked, and marks the endpoint while there are more. For nearly every endpoint the batch that goes with the change
 * is the only one.
 *
 * @returns how many deliveries it moved.
 */
async function settle(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  state: EndpointState,
): Promise<number> {
  const moved = await moveBatch(tx, companyId, endpointId, state);
  await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET settling = ${moved === SETTLE_BATCH} OR (${state === 'removed'} AND EXISTS (
      SELECT FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND status = 'pending'))
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  return moved;
}

/** A delivery whose attempt is under way keeps its claim, so that its outcome can still be written. */
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
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
          AND status = 'pending' AND next_attempt_at IS NULL
        ORDER BY id
        LIMIT ${SETTLE_BATCH}
        FOR NO KEY UPDATE
      ))`;
  }
  if (state === 'disabled') {
    return tx.$executeRaw`
      UPDATE webhook_deliveries
      SET next_attempt_at = NULL, ready = false
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
          AND status = 'pending' AND next_attempt_at IS NOT NULL
        ORDER BY id
        LIMIT ${SETTLE_BATCH}
        FOR NO KEY UPDATE
      ))`;
  }
  return tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'dead', next_attempt_at = NULL, ready = false, last_error = ${REMOVED_ERROR}
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
        AND status = 'pending' AND claim_token IS NULL
      ORDER BY id
      LIMIT ${SETTLE_BATCH}
      FOR NO KEY UPDATE
    ))`;
}
