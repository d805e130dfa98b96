import { type EndpointDisabled, TEST_MESSAGE } from '@deal-signals/outbox/event-data';
import { API_VERSION, type EventType } from '@deal-signals/outbox/event-types';
import { z } from 'zod';
import { call, type Call } from '../calls/call.ts';
import { dateTime } from '../date-time.ts';
import { engagementEvent, type EngagementEvent } from '../engagement/event.ts';
import { engagementView } from '../engagement/view.ts';
import { erasure, type Erasure } from '../erasures/erasure.ts';
import { callExample } from '../examples/call.ts';
import { engagementEventExample } from '../examples/engagement-event.ts';
import { engagementViewExample } from '../examples/engagement-view.ts';
import { erasureExample, roomErasureExample } from '../examples/erasure.ts';
import { esignDocumentExample } from '../examples/esign-document.ts';
import { roomExample } from '../examples/room.ts';
import { statusExample } from '../examples/status.ts';
import { webhookDeliveryExample } from '../examples/webhooks/webhook-delivery.ts';
import { EMAIL_HASH_SCOPES, type Scope } from '../management/scopes.ts';
import { esignDocument } from '../rooms/esign-document.ts';
import { room } from '../rooms/room.ts';

/**
 * The kinds of objects in events, and the feed with the same objects. Erasures and clients that store events select their
 * handling by the kind.
 */
export const OBJECT_FEEDS = {
  event: 'engagement/events',
  view: 'engagement/views',
  call: 'calls',
  room: 'decision-rooms',
  esign: 'esign-documents',
  erasure: 'erasures',
} as const;

/** The kind of an object in an event. */
export type ObjectKind = keyof typeof OBJECT_FEEDS;

/**
 * The record of an event type, from which the published description, the checks, the display and the storage of its events are
 * derived.
 */
interface EventRecord<Data extends z.ZodType = z.ZodType> {
  /** When it is sent, for the API description. */
  sentWhen: string;
  /** What applies only to this type. */
  note?: string;
  /**
   * The scopes, one of which a key needs to read the payload, in a subscription or in the delivery log. If empty, every key may.
   */
  scopes: readonly Scope[];
  /** The schema of `data`. */
  data: Data;
  /** An example of `data`. */
  example: z.output<Data>;
  /**
   * The kind of object in `data`. Null if it is in no feed; it must then not name or quote a buyer, because erasures do not read
   * it.
   */
  object: ObjectKind | null;
  /** The field of `data` that contains the object, if `data` has other fields as well. */
  objectField?: string;
  /** Describes an event in a few words, most important first, because a terminal shows only about 24 characters. */
  describe: (data: z.output<Data>) => string;
  /** The text of the console: "an event says that …". */
  meaning: string;
  /** The texts of the triggers in n8n and Zapier; null if no workflow starts with it. */
  trigger: Trigger | null;
}

/** The texts of a workflow trigger. */
interface Trigger {
  /** The object of the event, as an item of a list. */
  noun: string;
  /** In title case, the change last: `Contract Updated`. Zapier identifies the trigger by it, so it cannot change. */
  title: string;
  /** When the workflow starts, as the end of a sentence: "Triggers …". */
  when: string;
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
  disabledReason: z.string().meta({ description: 'The reason as a text, as the endpoint returns it' }),
  disabledAt: dateTime,
  consecutiveFailures: z.int(),
}) satisfies z.ZodType<EndpointDisabled>;

/** Every event type. */
export const EVENTS: Readonly<Record<EventType, EventRecord>> = {
  'engagement.recorded': event({
    sentWhen: 'A prospect did something',
    scopes: ['read:engagement'],
    data: engagementEvent,
    example: engagementEventExample,
    object: 'event',
    describe: ({ actor, type, demoTitle, metadata: { title } }) =>
      `${type}: ${typeof title === 'string' ? title : (demoTitle ?? 'the room')}, by ${nameOf(actor)}`,
    meaning: 'a prospect did something in a room',
    trigger: { noun: 'Engagement', title: 'Engagement Recorded', when: 'when a prospect does something' },
  }),
  'call.summary.created': event({
    sentWhen: 'The summary of a call was generated or regenerated',
    scopes: ['read:calls'],
    data: call,
    example: callExample,
    object: 'call',
    describe: ({ title, summary }) => `${title ?? 'a call'}: ${summary?.headline ?? 'summarised'}`,
    meaning: 'a call has a summary',
    trigger: {
      noun: 'Call summary',
      title: 'Call Summary Created',
      when: 'when the AI summary of a call is available',
    },
  }),
  'decision_room.updated': event({
    sentWhen: "A room's status, value, close date or contact changed",
    scopes: ['read:rooms'],
    data: room,
    example: roomExample,
    object: 'room',
    describe: ({ name, status, dealValueCents, expectedCloseDate }) => {
      const value = dealValueCents === null ? 'no value yet' : (dealValueCents / 100).toLocaleString('en');
      return `${name}: ${status}, ${value}, closing ${expectedCloseDate ?? 'date not set'}`;
    },
    meaning: 'a room changed',
    trigger: {
      noun: 'Room',
      title: 'Room Updated',
      when: 'when the status, value, date or contact of a room changes',
    },
  }),
  'decision_room.esign.updated': event({
    sentWhen: 'The signature status of a tracked contract was set or changed',
    scopes: ['read:rooms'],
    data: z.object({ buyerSpaceId: z.guid(), document: esignDocument }),
    example: { buyerSpaceId: roomExample.id, document: esignDocumentExample },
    object: 'esign',
    objectField: 'document',
    describe: ({ document: { subject, status } }) => `${subject ?? 'a contract'}: ${status}`,
    meaning: 'a contract of a room changed its status',
    trigger: { noun: 'Contract', title: 'Contract Updated', when: 'when the status of a contract changes' },
  }),
  'decision_room.created': event({
    sentWhen: 'A room was recorded for the first time',
    note: 'Sent once for a room, with its state at that moment. Changes send `decision_room.updated`.',
    scopes: ['read:rooms'],
    data: room,
    example: roomExample,
    object: 'room',
    describe: ({ name }) => `${name}: a new room`,
    meaning: 'a room was created',
    trigger: { noun: 'Room', title: 'Room Created', when: 'when a buyer room is created' },
  }),
  'call.recorded': event({
    sentWhen: 'A call was recorded for the first time, with any status; its summary may follow',
    note: 'Sent once for a call, with its state at that moment. A summary that is generated later sends `call.summary.created`.',
    scopes: ['read:calls'],
    data: call,
    example: { ...callExample, hasSummary: false, summary: null },
    object: 'call',
    describe: ({ title, kind, status }: Call) => `${title ?? kind}: ${status}`,
    meaning: 'a call was recorded',
    trigger: { noun: 'Call', title: 'Call Recorded', when: 'when a call is recorded' },
  }),
  'engagement.view.recorded': event({
    sentWhen: 'A viewing session of a recording or a document ended',
    note: 'Sent once for a view. A view never changes, except by an erasure.',
    scopes: ['read:engagement'],
    data: engagementView,
    example: engagementViewExample,
    object: 'view',
    describe: ({ actor, demoTitle, watchSeconds }) =>
      `${watchSeconds} s of ${demoTitle ?? 'a document'}, by ${nameOf(actor)}`,
    meaning: 'a prospect watched a recording or read a document',
    trigger: {
      noun: 'View',
      title: 'View Recorded',
      when: 'when a prospect has viewed a recording or document',
    },
  }),
  'person.erased': event({
    sentWhen: 'A person was erased, in all rooms',
    // Every endpoint gets the same body, which contains the hash. Other keys use the feed of erasures, which omits it for them.
    scopes: EMAIL_HASH_SCOPES,
    data: erasure,
    example: erasureExample,
    object: 'erasure',
    describe: describeErasure,
    meaning: 'a person was erased',
    trigger: null,
  }),
  'room.erased': event({
    sentWhen: 'All names of people and quotations in a room were erased',
    scopes: [],
    data: erasure,
    example: roomErasureExample,
    object: 'erasure',
    describe: describeErasure,
    meaning: 'a room was erased',
    trigger: null,
  }),
  'webhook.endpoint.disabled': event({
    sentWhen: 'Another endpoint of the workspace was disabled automatically',
    note:
      'Sent when we disable an endpoint, because of a 410 or too many failed attempts in a row, and not when an ' +
      'administrator does. The disabled endpoint does not get it.',
    // The payload describes deliveries.
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
    object: null,
    describe: ({ host, disabledReason }) => `${host}: ${disabledReason}`,
    meaning: 'an endpoint was disabled',
    trigger: null,
  }),
  'integration.ping': event({
    sentWhen: 'An administrator requested a test',
    // The payload contains no data.
    scopes: [],
    data: z.object({ endpointId: z.int(), message: z.string() }),
    example: { endpointId: webhookDeliveryExample.endpointId, message: TEST_MESSAGE },
    object: null,
    describe: ({ message }) => message,
    meaning: 'an admin tests an endpoint',
    trigger: null,
  }),
};

/** Lets the compiler check the example and the description against the schema. */
function event<Data extends z.ZodType>(record: EventRecord<Data>): EventRecord {
  return record;
}

function nameOf({ name, email }: EngagementEvent['actor']): string {
  return name ?? email ?? 'an unknown person';
}

function describeErasure({ kind }: Erasure): string {
  return `a ${kind} was erased`;
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

/** Returns an example body of a delivery of an event type. */
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
