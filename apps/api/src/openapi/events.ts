import type { EndpointDisabled } from '@deal-signals/deliveries/endpoints/announce-disabling';
import { TEST_MESSAGE } from '@deal-signals/deliveries/requests/test-event';
import { API_VERSION, type EventType } from '@deal-signals/outbox/event-types';
import { call } from '@deal-signals/serializers/calls/call';
import { dateTime } from '@deal-signals/serializers/date-time';
import { engagementEvent } from '@deal-signals/serializers/engagement/event';
import { engagementView } from '@deal-signals/serializers/engagement/view';
import { erasure } from '@deal-signals/serializers/erasures/erasure';
import { esignDocument } from '@deal-signals/serializers/rooms/esign-document';
import { room } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { EMAIL_HASH_SCOPES, type Scope } from '../auth/scopes.ts';
import { callExample } from './examples/call.ts';
import { engagementEventExample } from './examples/engagement-event.ts';
import { engagementViewExample } from './examples/engagement-view.ts';
import { erasureExample, roomErasureExample } from './examples/erasure.ts';
import { esignDocumentExample } from './examples/esign-document.ts';
import { roomExample } from './examples/room.ts';
import { statusExample } from './examples/status.ts';
import { webhookDeliveryExample } from './examples/webhook-delivery.ts';

/** What the API says of an event type, and what it requires. */
interface EventRecord<Data extends z.ZodType = z.ZodType> {
  sentWhen: string;
  /** What only holds for this type. */
  note?: string;
  /**
   * The scopes of which a key needs one to read the payload: to have events of the type sent, and to read a delivery of one. Without
   * any, every key may.
   */
  scopes: readonly Scope[];
  /** The schema of `data`. */
  data: Data;
  /** A real `data`. */
  example: z.output<Data>;
}

const endpointDisabled = z.object({
  endpointId: z.int(),
  host: z
    .string()
    .meta({ description: 'Host and port of its URL. The rest of the URL may be a secret of that receiver' }),
  reason: z.string().meta({
    description:
      'Open enumeration: new values may appear. `failures`: too many failed attempts in a row. `gone`: the receiver responded with 410',
    example: 'failures',
  }),
  disabledReason: z.string().meta({ description: 'The reason in words, as the endpoint shows it' }),
  disabledAt: dateTime,
  consecutiveFailures: z.int(),
}) satisfies z.ZodType<EndpointDisabled>;

/** Every event type, as consumers know it. */
export const EVENTS: Readonly<Record<EventType, EventRecord>> = {
  'engagement.recorded': event({
    sentWhen: 'A prospect did something',
    scopes: ['read:engagement'],
    data: engagementEvent,
    example: engagementEventExample,
  }),
  'call.summary.created': event({
    sentWhen: 'The summary of a call was generated or regenerated',
    scopes: ['read:calls'],
    data: call,
    example: callExample,
  }),
  'decision_room.updated': event({
    sentWhen: "A room's status, value, close date or contact changed",
    scopes: ['read:rooms'],
    data: room,
    example: roomExample,
  }),
  'decision_room.esign.updated': event({
    sentWhen: 'The signature status of a tracked contract was set or changed',
    scopes: ['read:rooms'],
    data: z.object({ buyerSpaceId: z.guid(), document: esignDocument }),
    example: { buyerSpaceId: roomExample.id, document: esignDocumentExample },
  }),
  'decision_room.created': event({
    sentWhen: 'A room was recorded for the first time',
    note: 'Sent once for a room, with its state at that moment. Changes send `decision_room.updated`.',
    scopes: ['read:rooms'],
    data: room,
    example: roomExample,
  }),
  'call.recorded': event({
    sentWhen: 'A call was recorded for the first time, whatever its status; its summary may follow',
    note: 'Sent once for a call, with its state at that moment. A summary that is generated later sends `call.summary.created`.',
    scopes: ['read:calls'],
    data: call,
    example: { ...callExample, hasSummary: false, summary: null },
  }),
  'engagement.view.recorded': event({
    sentWhen: 'A viewing session of a recording or a document ended',
    note: 'Sent once for a view. A view never changes, unless somebody is erased in it.',
    scopes: ['read:engagement'],
    data: engagementView,
    example: engagementViewExample,
  }),
  'person.erased': event({
    sentWhen: 'A person was erased, in all rooms',
    // Every endpoint gets the same body, which has the hash. Other keys follow the feed of erasures, which leaves it out for them.
    scopes: EMAIL_HASH_SCOPES,
    data: erasure,
    example: erasureExample,
  }),
  'room.erased': event({
    sentWhen: 'Everything that names people or quotes them was erased in a room',
    scopes: [],
    data: erasure,
    example: roomErasureExample,
  }),
  'webhook.endpoint.disabled': event({
    sentWhen: 'Another endpoint of the workspace was disabled automatically',
    note:
      'Sent when we disable an endpoint, because of a 410 or too many failed attempts in a row, and not when an ' +
      'administrator does. The disabled endpoint does not get it.',
    // The payload is about deliveries.
    scopes: ['read:deliveries'],
    data: endpointDisabled,
    example: {
      endpointId: 2,
      host: 'hooks.warehouse.example',
      reason: 'failures',
      disabledReason: '20 consecutive failed attempts',
      disabledAt: webhookDeliveryExample.createdAt,
      consecutiveFailures: 20,
    },
  }),
  'integration.ping': event({
    sentWhen: 'An administrator requested a test',
    // It says nothing.
    scopes: [],
    data: z.object({ endpointId: z.int(), message: z.string() }),
    example: { endpointId: webhookDeliveryExample.endpointId, message: TEST_MESSAGE },
  }),
};

/** Lets the compiler check that the example matches the schema. */
function event<Data extends z.ZodType>(record: EventRecord<Data>): EventRecord {
  return record;
}

/** The body of every delivery of an event type. */
export function eventEnvelope(type: EventType) {
  return z.object({
    id: z.guid().meta({
      description:
        'Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates',
    }),
    type: z.literal(type),
    apiVersion: z.iso.date().meta({ description: 'Date of the contract; informational' }),
    createdAt: dateTime.meta({ description: 'When the event was created, not when this attempt was sent' }),
    companyId: z.int().meta({ description: 'Id of the workspace, as `company.id` in the status response' }),
    data: EVENTS[type].data,
  });
}

/** A real body of a delivery of an event type. */
export function envelopeExample(type: EventType) {
  return {
    id: webhookDeliveryExample.eventId,
    type,
    apiVersion: API_VERSION,
    createdAt: webhookDeliveryExample.createdAt,
    companyId: statusExample.company.id,
    data: EVENTS[type].example,
  };
}
