import type { Database } from '@deal-signals/db/database';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import {
  deliveryStatus,
  findWebhookDeliveries,
  serializeWebhookDelivery,
  type WebhookDelivery,
  webhookDelivery,
} from '@deal-signals/serializers/webhooks/delivery';
import { z } from 'zod';
import { integerId, oneOf, parseQuery, uuid } from '../http/input.ts';
import { integerCursors, integerPageParameters, type Page, pageOf, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { webhookDeliveryExample } from '../openapi/examples/webhook-delivery.ts';

/** The query parameters of `GET /webhooks/{id}/deliveries`. */
export const listEndpointDeliveriesQuery = z.object({
  ...integerPageParameters,
  status: oneOf(deliveryStatus.options).optional().meta({ description: 'Only deliveries with this status' }),
});

/** The query parameters of `GET /webhook-deliveries`. */
export const listDeliveriesQuery = listEndpointDeliveriesQuery.extend({
  endpoint_id: integerId.optional().meta({ description: 'Only deliveries to this endpoint' }),
  event_type: oneOf(EVENT_TYPES).optional().meta({ description: 'Only deliveries of this event type' }),
  event_id: uuid.optional().meta({ description: 'Only deliveries of this event' }),
});

/** `GET /webhook-deliveries`: the delivery log of the workspace, in the order the deliveries were created. */
export const listDeliveries = dataOperation({
  operationId: 'listDeliveries',
  tag: 'Webhook deliveries',
  summary: 'List webhook deliveries',
  description: 'Returns the delivery log of the workspace, in the order the deliveries were created.',
  query: listDeliveriesQuery,
  response: pageOf(webhookDelivery),
  example: { data: [webhookDeliveryExample], nextCursor: webhookDeliveryExample.id, hasMore: true },
  async handler({ companyId, query }, { db }) {
    return findDeliveryPage(db, companyId, parseQuery(listDeliveriesQuery, query));
  },
});

/** A page of the delivery log of a workspace, with the filters of `GET /webhook-deliveries`. */
export async function findDeliveryPage(
  db: Database,
  companyId: number,
  { cursor = integerCursors.start, limit, ...filters }: z.output<typeof listDeliveriesQuery>,
): Promise<Page<WebhookDelivery>> {
  const rows = await findWebhookDeliveries(db, companyId, {
    after: integerCursors.read(cursor),
    status: filters.status,
    endpointId: filters.endpoint_id,
    eventType: filters.event_type,
    eventId: filters.event_id,
    limit: limit + 1,
  });
  return toPage(rows, limit, cursor, serializeWebhookDelivery, ({ id }) => integerCursors.write(id));
}
