import type { EndpointDisabled } from '@deal-signals/deliveries/endpoints/announce-disabling';
import { TEST_MESSAGE } from '@deal-signals/deliveries/requests/test-event';
import { API_VERSION, EVENT_TYPES, type EventType } from '@deal-signals/outbox/event-types';
import { deliveryHeaders } from '@deal-signals/sending/headers/delivery-headers';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { eventEnvelope } from './event-schemas.ts';
import { callExample } from './examples/call.ts';
import { engagementEventExample } from './examples/engagement-event.ts';
import { engagementViewExample } from './examples/engagement-view.ts';
import { erasureExample, roomErasureExample } from './examples/erasure.ts';
import { esignDocumentExample } from './examples/esign-document.ts';
import { roomExample } from './examples/room.ts';
import { statusExample } from './examples/status.ts';
import { webhookDeliveryExample } from './examples/webhook-delivery.ts';

const FIRES_WHEN: Record<EventType, string> = {
  'engagement.recorded': 'A prospect did something',
  'call.summary.created': 'The summary of a call was generated or regenerated',
  'decision_room.updated': "A room's status, value, close date or contact changed",
  'decision_room.esign.updated': 'The signature status of a tracked contract was set or changed',
  'decision_room.created': 'A room was recorded for the first time',
  'call.recorded': 'A call was recorded for the first time, whatever its status; its summary may follow',
  'engagement.view.recorded': 'A viewing session of a recording or a document ended',
  'person.erased': 'A person was erased, in all rooms',
  'room.erased': 'Everything that names people or quotes them was erased in a room',
  'webhook.endpoint.disabled': 'Another endpoint of the workspace was disabled automatically',
  'integration.ping': 'An administrator requested a test',
};

const DISABLED: EndpointDisabled = {
  endpointId: 2,
  host: 'hooks.warehouse.example',
  reason: 'failures',
  disabledReason: '20 consecutive failed attempts',
  disabledAt: webhookDeliveryExample.createdAt,
  consecutiveFailures: 20,
};

const DATA_EXAMPLES: Record<EventType, object> = {
  'engagement.recorded': engagementEventExample,
  'call.summary.created': callExample,
  'decision_room.updated': roomExample,
  'decision_room.esign.updated': { buyerSpaceId: roomExample.id, document: esignDocumentExample },
  'decision_room.created': roomExample,
  'call.recorded': { ...callExample, hasSummary: false, summary: null },
  'engagement.view.recorded': engagementViewExample,
  'person.erased': erasureExample,
  'room.erased': roomErasureExample,
  'webhook.endpoint.disabled': DISABLED,
  'integration.ping': { endpointId: webhookDeliveryExample.endpointId, message: TEST_MESSAGE },
};

/** How every event but the test event is delivered. */
export const DELIVERY =
  'A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the ' +
  'endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total; a 410 ends ' +
  'the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the ' +
  'envelope to discard duplicates.';

/** What only holds for one event type. */
const NOTES: Partial<Record<EventType, string>> = {
  'decision_room.created':
    'Sent once for a room, with its state at that moment. Changes send `decision_room.updated`.',
  'call.recorded':
    'Sent once for a call, with its state at that moment. A summary that is generated later sends `call.summary.created`.',
  'engagement.view.recorded': 'Sent once for a view. A view never changes, unless somebody is erased in it.',
  'webhook.endpoint.disabled':
    'Sent when we disable an endpoint, because of a 410 or too many failed attempts in a row, and not when an ' +
    'administrator does. The disabled endpoint does not get it.',
};

const PING =
  'A POST request to the URL of one endpoint, even if it is disabled, sent while the administrator waits for the ' +
  'outcome. It appears in the delivery log like any other delivery, but it is not retried.';

/** The schema of the body for each event type, by the name of its component. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [schemaName(type), eventEnvelope(type)]),
);

/** What the catalogue of events says about a type, next to the schema of its body. */
export interface EventDescription {
  type: EventType;
  sentWhen: string;
  /** What only holds for this type; empty if there is nothing. */
  note: string;
  /** The name of the component with the schema of its body. */
  schema: string;
  example: object;
}

/** Describes every event type. */
export function describeEvents(): EventDescription[] {
  return EVENT_TYPES.map((type) => ({
    type,
    sentWhen: FIRES_WHEN[type],
    note: type === 'integration.ping' ? PING : (NOTES[type] ?? ''),
    schema: schemaName(type),
    example: envelopeExample(type),
  }));
}

/** Builds the `webhooks` section of the document: one entry per event type. */
export function describeWebhooks(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeDelivery(type) }]));
}

function describeDelivery(type: EventType): ZodOpenApiPathItemObject['post'] {
  return {
    operationId: `on${schemaName(type)}`,
    tags: ['Webhooks'],
    summary: FIRES_WHEN[type],
    description: type === 'integration.ping' ? PING : [NOTES[type] ?? [], DELIVERY].flat().join(' '),
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
        description: 'Received. Respond with 2xx to unknown event types too',
      },
      '410': { description: 'Gone: the delivery becomes dead and the endpoint is disabled' },
      '4XX': { description: 'The attempt failed' },
      default: { description: 'The attempt failed' },
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

/** The schemas of the headers. Their examples are the values with which the example body would be sent. */
function headersOf(type: EventType) {
  const sent = deliveryHeaders({
    deliveryId: BigInt(webhookDeliveryExample.id),
    eventId: webhookDeliveryExample.eventId,
    eventType: type,
    body: JSON.stringify(envelopeExample(type)),
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    at: new Date(webhookDeliveryExample.createdAt),
    traceparent: '00-bbd83a9fde8348b1bdf7d0887c1e4ace-4f3a6c1e9b7d2058-01',
  });
  const described: Record<string, z.ZodString | z.ZodLiteral<string> | z.ZodGUID> = {
    'X-Service-Event': z.literal(type).meta({ description: 'The event type' }),
    'X-Service-Event-Id': z.guid().meta({ description: 'The `id` of the envelope' }),
    'X-Service-Delivery': z.string().meta({
      description: 'Id of the delivery to this endpoint, the same on every retry',
    }),
    'X-Service-Signature': z.string().meta({
      description:
        '`t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew',
    }),
    'webhook-id': z
      .guid()
      .meta({ description: 'The `id` of the envelope, for the libraries of Standard Webhooks' }),
    'webhook-timestamp': z.string().meta({
      description: 'The time of the attempt in Unix seconds, as `t` of `X-Service-Signature`',
    }),
    'webhook-signature': z.string().meta({
      description:
        '`v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64',
    }),
    traceparent: z.string().meta({
      description:
        'W3C Trace Context. The trace id is that of the request which captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request',
    }),
    'User-Agent': z.string().meta({ description: 'Identifies the sender' }),
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
