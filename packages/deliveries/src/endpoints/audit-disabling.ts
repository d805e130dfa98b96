import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { recordAudit } from '@deal-signals/outbox/record-audit';

/** Why the system disabled an endpoint by itself. */
export type DisablingReason = 'gone' | 'failures';

/** Why and how the system disabled an endpoint. */
export interface Disabling {
  reason: DisablingReason;
  /** The reason in the words that the endpoint's owner reads. */
  disabledReason: string;
  consecutiveFailures: number;
}

/** Writes the audit record of an endpoint that the system disabled by itself. */
export function auditDisabling(
  feed: FeedTransaction,
  endpointId: number,
  { reason, consecutiveFailures }: Disabling,
): Promise<void> {
  return recordAudit(feed, null, {
    action: 'webhook.disabled',
    objectType: 'webhook',
    objectId: String(endpointId),
    details: { reason, consecutiveFailures },
  });
}
