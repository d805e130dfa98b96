import type { Transaction } from '@deal-signals/db/database';
import { ENABLED_AGAIN } from '../alerts/levels.ts';
import { lockEndpoint } from './endpoint-state.ts';
import { reconcileEndpoint } from './reconcile.ts';

/**
 * Disables an endpoint and puts its pending deliveries on hold.
 *
 * @param reason the reason that the endpoint's owner reads. An endpoint that is already disabled keeps its reason.
 * @returns whether the endpoint was enabled before.
 */
export async function disableEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  reason: string,
): Promise<boolean> {
  const disabled = await tx.$executeRaw`
    UPDATE webhook_endpoints SET enabled = false, disabled_reason = ${reason}
    WHERE company_id = ${companyId} AND id = ${endpointId} AND enabled`;
  if (disabled === 0) return false;
  await reconcileEndpoint(tx, companyId, endpointId, 'closed');
  return true;
}

/**
 * Enables an endpoint. Its failure count is reset, and its deliveries on hold are due at once, unless the workspace's API is
 * switched off.
 *
 * @returns whether the endpoint was disabled before.
 */
export async function enableEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<boolean> {
  const enabled = await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET enabled = true, disabled_reason = NULL, consecutive_failures = 0, failing_since = NULL, alert_level = ${ENABLED_AGAIN}
    WHERE company_id = ${companyId} AND id = ${endpointId} AND NOT enabled AND removed_at IS NULL`;
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (enabled === 0 || state === null) return false;
  await reconcileEndpoint(tx, companyId, endpointId, state);
  return true;
}

/**
 * Removes an endpoint for good. Nothing is sent to it any more, and its pending deliveries are dead. Its row and its delivery log
 * stay.
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
  await reconcileEndpoint(tx, companyId, endpointId, 'removed');
  return true;
}

/**
 * Requires verification of an endpoint: only test events are sent to it until one of them succeeds, and its pending deliveries
 * are put on hold. The caller has locked the endpoint's row.
 */
export async function requireVerification(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET awaiting_verification = true
    WHERE company_id = ${companyId} AND id = ${endpointId} AND removed_at IS NULL`;
  await reconcileEndpoint(tx, companyId, endpointId, 'closed');
}

/**
 * Verifies an endpoint after a successful test event. If the endpoint is enabled, its deliveries on hold are due at once. The
 * caller has locked the endpoint's row.
 *
 * @param url the URL that the test event was sent to. An endpoint whose URL has changed since then is not verified.
 */
export async function verifyEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  url: string,
): Promise<void> {
  const verified = await tx.$executeRaw`
    UPDATE webhook_endpoints SET awaiting_verification = false
    WHERE company_id = ${companyId} AND id = ${endpointId} AND awaiting_verification AND url = ${url}`;
  if (verified === 0) return;
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state !== null) await reconcileEndpoint(tx, companyId, endpointId, state);
}
