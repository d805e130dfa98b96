import {
  deliveryStatus,
  serializeWebhookDelivery,
  type WebhookDelivery,
} from '@deal-signals/serializers/webhook-delivery';
import { EVENT_TYPES } from '@deal-signals/webhooks/event-types';
import { z } from 'zod';
import { integerId, oneOf, parseQuery, uuid } from '../input.ts';
import { integerCursors, pageParameters, type Page, toPage } from '../pagination.ts';
import type { DataRequest, Dependencies } from '../route.ts';

/** The query parameters of `GET /webhook-deliveries`. */
export const listDeliveriesQuery = z.object({
  ...pageParameters,
  status: oneOf(deliveryStatus.options).optional(),
  endpoint_id: integerId.optional(),
  event_type: oneOf(EVENT_TYPES).optional(),
  event_id: uuid.optional(),
});

/** `GET /webhook-deliveries`: the delivery log of the workspace, in the order of recording. */
export async function listDeliveries(
  { companyId, query }: DataRequest,
  { db }: Dependencies,
): Promise<Page<WebhookDelivery>> {
  const { cursor = integerCursors.start, limit, ...filters } = parseQuery(listDeliveriesQuery, query);
  const rows = await db.webhookDelivery.findMany({
    where: {
      companyId,
      id: { gt: integerCursors.read(cursor) },
      status: filters.status,
      endpointId: filters.endpoint_id,
      eventType: filters.event_type,
      eventId: filters.event_id,
    },
    orderBy: { id: 'asc' },
    take: limit + 1,
  });
  return toPage(rows, limit, cursor, serializeWebhookDelivery, ({ id }) => integerCursors.write(id));
}
