import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { NOTHING } from '@deal-signals/outbox/about';
import type { EndpointDisabled } from '@deal-signals/outbox/event-data';
import { findSubscribers, recordEvents } from '@deal-signals/outbox/record-events';
import { recordAudit } from '@deal-signals/outbox/record-audit';
import { toOrigin } from '../attempts/redacted-error.ts';

/** Why the system disabled an endpoint by itself. */
export type DisablingReason = 'gone' | 'failures';

/** Why the system disabled an endpoint, and the words for it. */
export interface Disabling {
  reason: DisablingReason;
  /** The reason as the endpoint's owner reads it. */
  disabledReason: string;
  consecutiveFailures: number;
}

/**
 * Writes the audit record of an endpoint that the system has disabled, and the event that notifies the other endpoints of the
 * workspace. The caller has disabled it in the same transaction, so the endpoint itself is not among the subscribers.
 *
 * An endpoint that does not accept this event may be disabled too. The chain ends, because each time fewer endpoints remain and
 * only an admin enables one again. If all `n` endpoints of a workspace are disabled one after the other, this makes `n(n-1)/2`
 * deliveries.
 */
export async function announceDisabling(
  feed: FeedTransaction,
  endpointId: number,
  { reason, disabledReason, consecutiveFailures }: Disabling,
): Promise<void> {
  const { tx, companyId, at } = feed;
  await recordAudit(feed, null, {
    action: 'webhook.disabled',
    objectType: 'webhook',
    objectId: String(endpointId),
    details: { reason, consecutiveFailures },
  });
  const { url } = await tx.webhookEndpoint.findUniqueOrThrow({
    where: { companyId_id: { companyId, id: endpointId } },
    select: { url: true },
  });
  const data: EndpointDisabled = {
    endpointId,
    host: toOrigin(url),
    reason,
    disabledReason,
    disabledAt: at.toISOString(),
    consecutiveFailures,
  };
  const subscribers = await findSubscribers(tx, companyId);
  // Endpoints are in no feed. The position of this event is the time at which the endpoint was disabled.
  const event = {
    type: 'webhook.endpoint.disabled' as const,
    objectId: String(endpointId),
    position: at,
    data,
    about: NOTHING,
  };
  await recordEvents(feed, [event], subscribers);
}
