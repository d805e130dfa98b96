import { MAX_RETRIED, retryDead, retryDelivery } from '@deal-signals/deliveries/admin-actions/retry';
import { webhookRetryExample } from '@deal-signals/serializers/examples/webhooks/webhook-retry';
import { moveDeadLetters } from './dead-letters.ts';
import { sendDelivery } from './send-delivery.ts';

/** `POST /webhooks/{id}/deliveries/{deliveryId}/retry`: makes a delivery due immediately. */
export const retryEndpointDelivery = sendDelivery({
  operationId: 'retryDelivery',
  summary: 'Retry a delivery',
  description:
    'Makes a dead or pending delivery due immediately. A dead delivery starts a new retry schedule, with `attempts` counted from 0; a pending one continues its schedule. While the endpoint is disabled, the delivery waits with `nextAttemptAt` null. The request is rejected with `INVALID_STATE` if the delivery was already delivered or the endpoint was removed.',
  example: webhookRetryExample,
  action: 'delivery.retried',
  async send({ tx, companyId }, endpointId, deliveryId) {
    const outcome = await retryDelivery(tx, companyId, endpointId, deliveryId);
    return outcome === 'retried' ? deliveryId : outcome;
  },
});

/** `POST /webhooks/{id}/retry-dead`: retries the dead letters of an endpoint. */
export const retryDeadDeliveries = moveDeadLetters({
  operationId: 'retryDeadDeliveries',
  summary: 'Retry the dead deliveries of a webhook endpoint',
  description: `Makes the dead deliveries of the endpoint due immediately, oldest first, or those that the body selects, as \`retryDelivery\` does for one. Failed test events and dismissed deliveries stay dead. Each call retries at most ${MAX_RETRIED.toLocaleString('en')}. If \`nextCursor\` is not null, call again with it as \`cursor\` and the same fields. The request is rejected with \`INVALID_STATE\` if the endpoint was removed.`,
  bodyExample: { since: '2026-09-01T12:00:00.000Z' },
  counted: 'Number of deliveries made due',
  action: 'deliveries.retried',
  auditedTime: 'since',
  move: retryDead,
});
