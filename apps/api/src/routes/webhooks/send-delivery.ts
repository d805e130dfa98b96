import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import {
  findWebhookDeliveries,
  serializeWebhookDelivery,
  webhookDelivery,
  type WebhookDeliveryRow,
} from '@deal-signals/serializers/webhooks/delivery';
import type { AuditAction } from '@deal-signals/serializers/management/audit-record';
import { z } from 'zod';
import { invalidState, notFound } from '../../http/errors.ts';
import { deliveryPath } from '../../http/input.ts';
import { adminOperation } from '../../http/route.ts';
import { type AuditEntry, inManagementTransaction } from '../management-transaction.ts';

/** The reason why deliveries of an endpoint were not changed. */
type NothingDone = 'unknown' | 'delivered' | 'endpoint removed';

/** Returns the outcome of a change of deliveries, or throws the error for the reason why nothing was changed. */
export function doneOrThrow<Outcome>(
  outcome: Outcome,
  ifRemoved = 'the endpoint was removed; nothing more is sent to it',
): Exclude<Outcome, NothingDone> {
  if (outcome === 'unknown') throw notFound();
  if (outcome === 'delivered') throw invalidState('a delivered delivery cannot be retried');
  if (outcome === 'endpoint removed') throw invalidState(ifRemoved);
  return outcome as Exclude<Outcome, NothingDone>;
}

/** An operation that sends one delivery of an endpoint again. */
interface DeliverySending {
  operationId: string;
  summary: string;
  description: string;
  status?: 201;
  example: z.output<typeof webhookDelivery>;
  action: AuditAction;
  /** The details of the audit record besides the endpoint. */
  auditedDetails?: (deliveryId: bigint) => AuditEntry['details'];
  /** Sends the delivery again. Returns the id of the delivery that is sent. */
  send: (feed: FeedTransaction, endpointId: number, deliveryId: bigint) => Promise<bigint | NothingDone>;
}

/** Creates the operation that sends one delivery of an endpoint again, and returns the delivery that is sent. */
export function sendDelivery({ example, action, auditedDetails, send, ...described }: DeliverySending) {
  return adminOperation({
    ...described,
    tag: 'Webhook deliveries',
    params: deliveryPath,
    response: z.object({ data: webhookDelivery }),
    example: { data: example },
    errors: ['INVALID_STATE'],
    async handler(request, { db }) {
      const { companyId, params, addLogFields } = request;
      const endpointId = params.id;
      const deliveryId = BigInt(params.deliveryId);
      const row = await inManagementTransaction<WebhookDeliveryRow>(db, request, async (feed) => {
        const objectId = doneOrThrow(await send(feed, endpointId, deliveryId));
        const [result] = await findWebhookDeliveries(feed.tx, companyId, { id: objectId });
        if (result === undefined) throw new Error('the delivery to send was not found');
        const details = { webhookId: endpointId, ...auditedDetails?.(deliveryId) };
        return { result, audit: { action, objectType: 'delivery', objectId, details } };
      });
      addLogFields({ deliveryId: row.id.toString(), eventId: row.eventId });
      return { data: serializeWebhookDelivery(row) };
    },
  });
}
