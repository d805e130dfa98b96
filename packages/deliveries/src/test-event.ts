import { randomUUID } from 'node:crypto';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { lockEndpoint } from './endpoint-state.ts';
import type { BegunClaim } from './attempt-delivery.ts';
import { envelope } from '@deal-signals/outbox/record-events';

/** What the test event says. */
export const PING_MESSAGE = 'This is a test event: somebody has asked whether this endpoint works.';

/**
 * Records a test event for one endpoint, enabled or not and whatever it subscribes to, as a delivery whose attempt has
 * begun: the caller makes it at once. Should the caller's process end before, the lease runs out and the dispatcher
 * treats the delivery like any other: a worker makes the attempt, once the endpoint is enabled.
 *
 * @returns null when the workspace has no such endpoint.
 */
export async function recordPing(
  feed: FeedTransaction,
  endpointId: number,
  leaseMs: number,
): Promise<BegunClaim | null> {
  const { tx, companyId, at } = feed;
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null || state === 'removed') return null;
  const eventId = randomUUID();
  const eventType = 'integration.ping';
  const body = envelope(eventId, eventType, at, companyId, { endpointId, message: PING_MESSAGE });
  const [begun] = await tx.$queryRaw<Pick<BegunClaim, 'deliveryId' | 'claimToken' | 'startedAt'>[]>`
    WITH event AS (
      INSERT INTO webhook_events (company_id, id, type, created_at, body)
      VALUES (${companyId}, ${eventId}::uuid, ${eventType}, ${at}, ${body})
    )
    INSERT INTO webhook_deliveries
      (company_id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, claim_token, lease_expires_at)
    VALUES (${companyId}, ${endpointId}, ${eventId}::uuid, ${eventType}, ${at},
      ${state === 'enabled' ? at : null}, false, gen_random_uuid(),
      clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond')
    RETURNING id AS "deliveryId", claim_token AS "claimToken", clock_timestamp() AS "startedAt"`;
  const endpoint = await tx.webhookEndpoint.findUniqueOrThrow({
    where: { companyId_id: { companyId, id: endpointId } },
    select: { url: true, secretCiphertext: true },
  });
  if (begun === undefined) throw new Error('the delivery of a test event was not inserted');
  return {
    ...begun,
    ...endpoint,
    companyId,
    endpointId,
    eventId,
    eventType,
    body,
    attempt: 1,
    attemptNumber: 1,
  };
}
