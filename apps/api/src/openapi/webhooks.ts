import { EVENT_TYPES, type EventType } from '@deal-signals/outbox/event-types';
import { deliveryHeaders } from '@deal-signals/sending/headers/delivery-headers';
import { z } from 'zod';
import { envelopeExample, eventEnvelope, EVENTS } from '@deal-signals/serializers/events/events';
import { webhookDeliveryExample } from '@deal-signals/serializers/examples/webhooks/webhook-delivery';
import type {
  ZodOpenApiCallbacksObject,
  ZodOpenApiPathItemObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';

/** The delivery of every event except the test event. */
export const DELIVERY =
  'A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the ' +
  'endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change ' +
  'both numbers. A 410 ends ' +
  'the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the ' +
  'envelope to discard duplicates.';

const PING =
  'A POST request to the URL of one endpoint, even if it is disabled, sent while the administrator waits for the ' +
  'outcome. It appears in the delivery log like any other delivery, but it is not retried.';

/** The possible responses of a receiver. */
const RESPONSES: ZodOpenApiResponsesObject = {
  '2XX': { description: 'Received. Respond with 2xx to unknown event types too' },
  '410': { description: 'Gone: the delivery becomes dead and the endpoint is disabled' },
  '4XX': { description: 'The attempt failed' },
  default: { description: 'The attempt failed' },
};

/** The schema of the body for each event type, by the name of its component. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [schemaName(type), eventEnvelope(type)]),
);

const refTo = (type: EventType) => `#/components/schemas/${schemaName(type)}`;

/**
 * The webhooks that an endpoint receives once it is registered, in one callback. It repeats `describeWebhooks` for generators
 * that keep only the schemas of operations.
 */
export const WEBHOOK_CALLBACKS: ZodOpenApiCallbacksObject = {
  event: {
    '{$request.body#/url}': {
      post: {
        operationId: 'onWebhookEvent',
        tags: ['Webhooks'],
        summary: 'An event of a subscribed type occurred',
        description: DELIVERY,
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { anyOf: EVENT_TYPES.map((type) => ({ $ref: refTo(type) })) } },
          },
        },
        responses: RESPONSES,
      },
    },
  },
};

/** The entry of an event type in the catalog of events, next to the schema of its body. */
export interface EventDescription {
  type: EventType;
  sentWhen: string;
  /** What applies only to this type; empty if there is nothing. */
  note: string;
  /** The name of the component with the schema of its body. */
  schema: string;
  example: object;
}

/** Describes every event type. */
export function describeEvents(): EventDescription[] {
  return EVENT_TYPES.map((type) => ({
    type,
    sentWhen: EVENTS[type].sentWhen,
    note: type === 'integration.ping' ? PING : (EVENTS[type].note ?? ''),
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
    summary: EVENTS[type].sentWhen,
    description: type === 'integration.ping' ? PING : [EVENTS[type].note ?? [], DELIVERY].flat().join(' '),
    security: [],
    requestParams: { header: headersOf(type) },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: refTo(type) },
          example: envelopeExample(type),
        },
      },
    },
    responses: RESPONSES,
  };
}

function schemaName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** Returns the schemas of the headers. Their examples are those of a request with the example body. */
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
        'W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request',
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
