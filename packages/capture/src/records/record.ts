import { callKind, callStatus, participant, talkTime } from '@deal-signals/serializers/calls/call';
import { callSummary } from '@deal-signals/serializers/calls/call-summary';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import { esignStatus } from '@deal-signals/serializers/rooms/esign-document';
import { memberIdentity } from '@deal-signals/serializers/rooms/identity';
import { roomStatus } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { email as emailAddress } from './email.ts';
import { freeFormObject } from './free-form.ts';
import {
  calendarDate,
  count,
  eventType,
  integer,
  integerId,
  nonEmptyText,
  seconds,
  storedJson,
  text,
  uuid,
  withDefault,
} from './values.ts';

// The records that capture accepts. A record with an id is an upsert: a field that is left out keeps its stored value, and
// null clears it, hence `.nullish()`. A field that cannot be cleared is `.optional()`; those that a new row needs are its
// `newRow`.

const keyField = nonEmptyText;

const segment = z
  .tuple([seconds, seconds])
  .refine(([from, to]) => from <= to, 'Invalid segment: expected [from, to] with from <= to');

/** The schema of records that belong to a workspace. */
function record<K extends string, Fields extends z.ZodRawShape>(name: K, fields: Fields) {
  return z.object({ record: z.literal(name), companyId: integerId, ...fields });
}

/** All that is known of a kind of record except how it is written (`WRITERS` in `write-groups.ts`). */
interface Kind<S extends z.ZodType, Field extends keyof z.output<S>> {
  schema: S;
  /** Identifies the row that a record writes, within its workspace and among the rows of this kind. */
  identity: (record: z.output<S>) => string | number;
  /** The fields that a record of a new row must have. A record of an existing row only needs its id and the fields that it changes. */
  newRow?: readonly Field[];
  /** Set if no other record refers to it. Adjacent records of these kinds can be written in any order. */
  isLeaf?: true;
}

/** Lets the compiler check the fields of a kind against its schema. */
function kind<S extends z.ZodType, Field extends keyof z.output<S> = never>(
  described: Kind<S, Field>,
): Kind<S, Field> {
  return described;
}

/** Every kind of record. */
export const KINDS = {
  company: kind({
    schema: z.object({
      record: z.literal('company'),
      id: integerId,
      name: nonEmptyText.optional(),
      apiEnabled: withDefault(z.boolean(), true),
    }),
    identity: ({ id }) => id,
    newRow: ['name'],
  }),
  user: kind({
    schema: record('user', {
      id: integerId,
      name: nonEmptyText.optional(),
      email: emailAddress.optional(),
    }),
    identity: ({ id }) => id,
    newRow: ['name', 'email'],
  }),
  room: kind({
    schema: record('room', {
      id: uuid,
      name: nonEmptyText.optional(),
      slug: text.nullish(),
      status: withDefault(roomStatus, 'open'),
      ownerId: integerId.nullish(),
      primaryContactEmail: emailAddress.nullish(),
      expectedCloseDate: calendarDate.nullish(),
      dealValueCents: integer.nullish(),
      sourceCallId: uuid.nullish(),
      /** The default is the time of the first capture, so null keeps what is stored. */
      createdAt: dateTimeInput.nullish(),
      closedAt: dateTimeInput.nullish(),
    }),
    identity: ({ id }) => id,
    newRow: ['name'],
  }),
  member: kind({
    schema: record('member', {
      roomId: uuid,
      email: emailAddress.nullish(),
      name: nonEmptyText.nullish(),
      role: text.nullish(),
      title: nonEmptyText.nullish(),
    }).refine((member) => member.email != null || member.name != null, {
      path: ['email'],
      message: 'Invalid input: expected an email or a name',
      when: ({ value }) => isObject(value),
    }),
    identity: (member) => `${member.roomId} ${memberIdentity(member)}`,
  }),
  call: kind({
    schema: record('call', {
      id: uuid,
      kind: callKind.optional(),
      occurredAt: dateTimeInput.optional(),
      ownerId: integerId.optional(),
      status: withDefault(callStatus, 'completed'),
      completedAt: dateTimeInput.nullish(),
      title: nonEmptyText.nullish(),
      prospectName: text.nullish(),
      /** A length of 0 is unknown, as null is. */
      durationSeconds: count
        .nullable()
        .transform((value) => value || null)
        .optional(),
      roomId: uuid.nullish(),
      participants: withDefault(storedJson(z.array(participant)), []),
      talkTime: storedJson(talkTime).nullish(),
      disqualifiedAt: dateTimeInput.nullish(),
      disqualifiedReason: text.nullish(),
    }),
    identity: ({ id }) => id,
    newRow: ['kind', 'occurredAt', 'ownerId'],
  }),
  callSummary: kind({
    schema: record('callSummary', {
      callId: uuid,
      summary: storedJson(callSummary),
    }),
    identity: ({ callId }) => callId,
  }),
  distribution: kind({
    schema: record('distribution', {
      id: uuid,
      roomId: uuid.optional(),
      recipientName: nonEmptyText.nullish(),
      recipientEmail: emailAddress.nullish(),
      callId: uuid.nullish(),
      forwardedFromDistributionId: uuid.nullish(),
    }),
    identity: ({ id }) => id,
    newRow: ['roomId', 'recipientName', 'recipientEmail'],
  }),
  document: kind({
    schema: record('document', {
      id: uuid,
      roomId: uuid.optional(),
      title: nonEmptyText.optional(),
      category: text.optional(),
      uploadedByProspect: withDefault(z.boolean(), false),
      libraryAssetId: text.nullish(),
    }),
    identity: ({ id }) => id,
    newRow: ['roomId', 'title', 'category'],
  }),
  event: kind({
    schema: record('event', {
      key: keyField,
      type: eventType,
      occurredAt: dateTimeInput,
      distributionId: uuid,
      docId: uuid.nullish(),
      metadata: freeFormObject.nullish(),
    }),
    identity: ({ key }) => key,
    isLeaf: true,
  }),
  view: kind({
    schema: record('view', {
      key: keyField,
      distributionId: uuid,
      startedAt: dateTimeInput,
      endedAt: dateTimeInput,
      docId: uuid.nullish(),
      seconds: count.nullish(),
      segments: z
        .array(segment)
        .refine((segments) => playedSeconds(segments) < 2 ** 31, {
          message: 'Too big: expected fewer than 2^31 seconds in total',
        })
        .nullish(),
    }).refine((view) => view.endedAt >= view.startedAt, {
      path: ['endedAt'],
      message: 'Invalid date-time: must not be before startedAt',
      // Also if other fields are faulty, so that all errors are reported at once.
      when: ({ value }) => hasDates(value, 'startedAt', 'endedAt'),
    }),
    identity: ({ key }) => key,
    isLeaf: true,
  }),
  actionItem: kind({
    schema: record('actionItem', {
      id: uuid,
      roomId: uuid.optional(),
      title: nonEmptyText.optional(),
      dueDate: calendarDate.nullish(),
      /** Null clears `completedBy` as well. */
      completedAt: dateTimeInput.nullish(),
      completedBy: z.enum(['prospect', 'seller']).nullish(),
    }),
    identity: ({ id }) => id,
    newRow: ['roomId', 'title'],
    isLeaf: true,
  }),
  message: kind({
    schema: record('message', {
      key: keyField,
      roomId: uuid,
      side: z.enum(['prospect', 'seller']),
      sentAt: dateTimeInput,
      distributionId: uuid.nullish(),
      text: text.nullish(),
    }),
    identity: ({ key }) => key,
  }),
  esign: kind({
    schema: record('esign', {
      id: nonEmptyText,
      roomId: uuid.optional(),
      vendor: text.optional(),
      envelopeId: text.optional(),
      status: esignStatus.optional(),
      subject: text.nullish(),
      recipientCount: count.nullish(),
      sentAt: dateTimeInput.nullish(),
      firstViewedAt: dateTimeInput.nullish(),
      lastEventAt: dateTimeInput.nullish(),
      completedAt: dateTimeInput.nullish(),
      declinedAt: dateTimeInput.nullish(),
    }),
    identity: ({ id }) => id,
    newRow: ['roomId', 'vendor', 'envelopeId', 'status'],
    isLeaf: true,
  }),
  erasePerson: kind({
    schema: record('erasePerson', {
      email: emailAddress.optional(),
      personId: uuid.optional(),
    }).refine((one) => (one.email === undefined) !== (one.personId === undefined), {
      path: ['email'],
      message: 'Invalid input: expected either an email or a personId',
      when: ({ value }) => isObject(value),
    }),
    identity: ({ email, personId }) => email?.toLowerCase() ?? personId!,
  }),
  eraseRoom: kind({
    schema: record('eraseRoom', {
      roomId: uuid,
    }),
    identity: ({ roomId }) => roomId,
  }),
};

type Kinds = typeof KINDS;
type Schema = Kinds[keyof Kinds]['schema'];

/** Any record, discriminated by its `record` field. */
export const captureRecord = z.discriminatedUnion(
  'record',
  Object.values(KINDS).map(({ schema }) => schema) as [Schema, ...Schema[]],
);

/** A record after parsing. */
export type CaptureRecord = z.output<typeof captureRecord>;

/** A record as written in the input, before parsing. */
export type CaptureInput = z.input<typeof captureRecord>;

/** A record of one kind. */
export type RecordOf<K extends keyof Kinds> = z.output<Kinds[K]['schema']>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function hasDates(value: unknown, ...fields: string[]): boolean {
  return isObject(value) && fields.every((field) => value[field] instanceof Date);
}
