import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { serializeWebhookEndpoint, webhookEndpoint } from '@deal-signals/serializers/webhooks/endpoint';
import { z } from 'zod';
import { webhookEndpointExample } from '@deal-signals/serializers/examples/webhooks/webhook-endpoint';
import { notFound } from '../../../http/errors.ts';
import { integerPath } from '../../../http/input.ts';
import { managementOperation } from '../../../http/route.ts';
import { findEndpoint, visibleTo, WITH_RATE_LIMIT } from './find.ts';

/** `GET /webhooks`: all endpoints of the workspace, or those of the key, oldest first, and the event types they can subscribe to. */
export const listWebhooks = managementOperation({
  operationId: 'listWebhooks',
  tag: 'Webhook endpoints',
  summary: 'List webhook endpoints',
  description:
    'Returns all endpoints of the workspace, oldest first, and the event types an endpoint can subscribe to. An API key sees those that it registered.',
  response: z.object({
    data: z.array(webhookEndpoint),
    eventTypes: z.array(z.string()).meta({ description: 'The event types an endpoint can subscribe to' }),
  }),
  example: { data: [webhookEndpointExample], eventTypes: [...EVENT_TYPES] },
  async handler(request, { db }) {
    const rows = await db.webhookEndpoint.findMany({
      where: visibleTo(request),
      orderBy: { id: 'asc' },
      include: WITH_RATE_LIMIT,
    });
    return { data: rows.map(serializeWebhookEndpoint), eventTypes: [...EVENT_TYPES] };
  },
});

/** `GET /webhooks/{id}`: one endpoint. */
export const getWebhook = managementOperation({
  operationId: 'getWebhook',
  tag: 'Webhook endpoints',
  summary: 'Get a webhook endpoint',
  params: integerPath,
  response: z.object({ data: webhookEndpoint }),
  example: { data: webhookEndpointExample },
  async handler(request, { db }) {
    const row = await findEndpoint(db, request, request.params.id);
    if (row === null) throw notFound();
    return { data: serializeWebhookEndpoint(row) };
  },
});
