import {
  findWebhookDeliveryDetail,
  serializeWebhookDeliveryDetail,
  webhookDeliveryDetail,
} from '@deal-signals/serializers/webhooks/delivery-detail';
import { z } from 'zod';
import { webhookDeliveryDetailExample } from '@deal-signals/serializers/examples/webhooks/webhook-delivery-detail';
import { webhookPingExample } from '@deal-signals/serializers/examples/webhooks/webhook-ping';
import { notFound } from '../../http/errors.ts';
import { deliveryPath, integerPath } from '../../http/input.ts';
import { adminOperation } from '../../http/route.ts';
import {
  deliveryPage,
  findDeliveryPage,
  listEndpointDeliveriesQuery,
  ORDER_TEXT,
} from '../webhook-deliveries.ts';

/** `GET /webhooks/{id}/deliveries`: the delivery log of one endpoint, including a removed one. */
export const listEndpointDeliveries = adminOperation({
  operationId: 'listEndpointDeliveries',
  tag: 'Webhook deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description: `Returns the delivery log of the endpoint, even if it was removed. ${ORDER_TEXT}`,
  params: integerPath,
  query: listEndpointDeliveriesQuery,
  response: deliveryPage,
  example: { data: [webhookPingExample], nextCursor: webhookPingExample.id, hasMore: true },
  async handler({ companyId, params: { id }, query }, { db }) {
    const where = { companyId_id: { companyId, id } };
    const endpoint = await db.webhookEndpoint.findUnique({ where, select: { id: true } });
    if (endpoint === null) throw notFound();
    return findDeliveryPage(db, companyId, { ...query, endpoint_id: id });
  },
});

/** `GET /webhooks/{id}/deliveries/{deliveryId}`: one delivery with its payload and its attempts. */
export const getEndpointDelivery = adminOperation({
  operationId: 'getEndpointDelivery',
  tag: 'Webhook deliveries',
  summary: 'Get a delivery with its payload and attempts',
  description:
    'Returns the delivery, the payload that every attempt sends, and the outcome of each attempt so far.',
  params: deliveryPath,
  response: z.object({ data: webhookDeliveryDetail }),
  example: { data: webhookDeliveryDetailExample },
  async handler({ companyId, params, addLogFields }, { db }) {
    const wanted = { id: BigInt(params.deliveryId), endpointId: params.id };
    const row = await findWebhookDeliveryDetail(db, companyId, wanted);
    if (row === null) throw notFound();
    addLogFields({ eventId: row.eventId });
    return { data: serializeWebhookDeliveryDetail(row) };
  },
});
