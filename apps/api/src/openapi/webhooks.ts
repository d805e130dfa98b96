import { callExample } from './examples/call.ts';
import { engagementEventExample } from './examples/engagement-event.ts';
import { esignDocumentExample } from './examples/esign-document.ts';
import { roomExample } from './examples/room.ts';
import { webhookDeliveryExample } from './examples/webhook-delivery.ts';
import { statusExample } from './examples/status.ts';
import { deliveryHeaders } from '@deal-signals/sending/delivery-headers';
import { eventEnvelope } from './event-schemas.ts';
import { API_VERSION, EVENT_TYPES, type EventType } from '@deal-signals/outbox/event-types';
import { TEST_MESSAGE } from '@deal-signals/deliveries/requests/test-event';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';

const FIRES_WHEN: Record<EventType, string> = {
  'engagement.recorded': 'A prospect did something',
  'call.summary.created': 'The summary of a call was generated, or generated anew',
  'decision_room.updated': "A room's status, value, close date or contact changed",
  'decision_room.esign.updated': 'A tracked contract got its first or another signature status',
  'integration.ping': 'An administrator asked for a test',
};

const DATA_EXAMPLES: Record<EventType, object> = {
  'engagement.recorded': engagementEventExample,
  'call.summary.created': callExample,
  'decision_room.updated': roomExample,
  'decision_room.esign.updated': { buyerSpaceId: roomExample.id, document: esignDocumentExample },
  'integration.ping': { endpointId: webhookDeliveryExample.endpointId, message: TEST_MESSAGE },
};

const DELIVERY =
  'A POST to the URL of every enabled endpoint that subscribes to the event type. Any 2xx within 10 seconds counts as ' +
  'received; everything else is tried again, eight times in all, except that 410 disables the endpoint. Deliveries can ' +
  'come twice and in another order: keep the envelope by `id`.';

const PING =
  'A POST to the URL of one endpoint, enabled or not, sent while the administrator waits for the outcome. It is logged ' +
  'like any other delivery, and not tried again.';

/** The body of each event type, as a component: what is sent has every field, like the answers of the API. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [schemaName(type), eventEnvelope(type)]),
);

/** The `webhooks` section: one entry for each event type. */
export function describeWebhooks(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeDelivery(type) }]));
}

function describeDelivery(type: EventType): ZodOpenApiPathItemObject['post'] {
  return {
    operationId: `on${schemaName(type)}`,
    tags: ['Webhooks'],
    summary: FIRES_WHEN[type],
    description: type === 'integration.ping' ? PING : DELIVERY,
    security: [],
    requestParams: { header: headersOf(type) },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schemaName(type)}` },
          example: envelopeExample(type),
        },
      },
    },
    responses: {
      '2XX': {
        description: 'Received. Event types that the receiver does not know are to be received as well',
      },
      '410': { description: 'Gone: the delivery is given up and the endpoint disabled' },
      '4XX': { description: 'Failed' },
      default: { description: 'Failed' },
    },
  };
}

function schemaName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function envelopeExample(type: EventType) {
  return {
    id: webhookDeliveryExample.eventId,
    type,
    apiVersion: API_VERSION,
    createdAt: webhookDeliveryExample.createdAt,
    companyId: statusExample.company.id,
    data: DATA_EXAMPLES[type],
  };
}

/** The headers, with the values that the example would be sent with. */
function headersOf(type: EventType) {
  const sent = deliveryHeaders({
    deliveryId: BigInt(webhookDeliveryExample.id),
    eventId: webhookDeliveryExample.eventId,
    eventType: type,
    body: JSON.stringify(envelopeExample(type)),
    secret: 'whsec_of_the_example',
    at: new Date(webhookDeliveryExample.createdAt),
  });
  const described: Record<string, z.ZodString | z.ZodLiteral<string> | z.ZodUUID> = {
    'X-Service-Event': z.literal(type).meta({ description: 'The event type' }),
    'X-Service-Event-Id': z.uuid().meta({ description: 'The `id` of the envelope' }),
    'X-Service-Delivery': z.string().meta({
      description: 'The id of the delivery to this endpoint, the same on every retry',
    }),
    'X-Service-Signature': z.string().meta({
      description:
        '`t=<unix seconds>,v1=<hex HMAC-SHA256>` of `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of skew',
    }),
    'User-Agent': z.string().meta({ description: 'Who sends' }),
  };
  return z.object(
    Object.fromEntries(
      Object.entries(described).map(([name, schema]) => [
        name,
        schema.meta({ ...schema.meta(), example: sent[name] }),
      ]),
    ),
  );
}
