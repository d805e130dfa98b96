import { MOST_RETRIED, retryDead, retryDelivery } from '@deal-signals/deliveries/requests/retry';
import {
  findWebhookDeliveries,
  serializeWebhookDelivery,
  webhookDelivery,
} from '@deal-signals/serializers/webhooks/delivery';
import { z } from 'zod';
import { invalidState, notFound } from '../../http/errors.ts';
import { deliveryPath, integerInPath, integerTextInPath } from '../../http/input.ts';
import { adminOperation } from '../../http/route.ts';
import { webhookRetryExample } from '@deal-signals/serializers/examples/webhook-retry';
import { inManagementTransaction } from '../management-transaction.ts';
import { moveDeadLetters } from './dead-letters.ts';

const ENDPOINT_REMOVED = 'the endpoint was removed; nothing more is sent to it';

/** `POST /webhooks/{id}/deliveries/{deliveryId}/retry`: makes a delivery due at once. */
export const retryEndpointDelivery = adminOperation({
  operationId: 'retryDelivery',
  tag: 'Webhook deliveries',
  summary: 'Retry a delivery',
  description:
    'Makes a dead or pending delivery due immediately. A dead delivery starts a new retry schedule, with `attempts` counted from 0; a pending one continues its schedule. While the endpoint is disabled, the delivery waits with `nextAttemptAt` null. The request is refused with `INVALID_STATE` if the delivery was already delivered or the endpoint was removed.',
  params: deliveryPath,
  response: z.object({ data: webhookDelivery }),
  example: { data: webhookRetryExample },
  errors: ['INVALID_STATE'],
  async handler(request, { db }) {
    const { companyId, params, note } = request;
    const id = integerInPath(params['id']);
    const deliveryId = integerTextInPath(params['deliveryId']);
    note({ endpointId: id, deliveryId: String(deliveryId) });
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      const outcome = await retryDelivery(tx, companyId, id, deliveryId);
      if (outcome === 'unknown') throw notFound();
      if (outcome === 'delivered') throw invalidState('a delivered delivery cannot be retried');
      if (outcome === 'endpoint removed') throw invalidState(ENDPOINT_REMOVED);
      const [retried] = await findWebhookDeliveries(tx, companyId, { id: deliveryId });
      if (retried === undefined) throw notFound();
      return {
        result: retried,
        audit: {
          action: 'delivery.retried',
          objectType: 'delivery',
          objectId: deliveryId,
          details: { webhookId: id },
        },
      };
    });
    note({ eventId: row.eventId });
    return { data: serializeWebhookDelivery(row) };
  },
});

/** `POST /webhooks/{id}/retry-dead`: retries the dead letters of an endpoint. */
export const retryDeadDeliveries = moveDeadLetters({
  operationId: 'retryDeadDeliveries',
  summary: 'Retry the dead deliveries of a webhook endpoint',
  description: `Makes the dead deliveries of the endpoint due immediately, oldest first, or those that the body selects, as \`retryDelivery\` does for one. Failed test events and dismissed deliveries stay dead. Each call retries at most ${MOST_RETRIED.toLocaleString('en')}. If \`nextCursor\` is not null, call again with it as \`cursor\` and the same fields. The request is refused with \`INVALID_STATE\` if the endpoint was removed.`,
  bodyExample: { since: '2026-09-01T12:00:00.000Z' },
  counted: 'Number of deliveries made due',
  ifRemoved: ENDPOINT_REMOVED,
  action: 'deliveries.retried',
  auditedTime: 'since',
  move: retryDead,
});
