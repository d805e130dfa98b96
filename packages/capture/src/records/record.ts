import { callKind, callStatus, participant, talkTime } from '@deal-signals/serializers/calls/call';
import { callSummary } from '@deal-signals/serializers/calls/call-summary';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import { esignStatus } from '@deal-signals/serializers/rooms/esign-document';
import { roomStatus } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { email } from './email.ts';
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
// null clears it, hence `.nullish()`. A field that cannot be cleared is `.optional()`; those that a new row needs are listed
// in `new-row.ts`.

const companyId = integerId;
const key = nonEmptyText;

export const companyRecord = z.object({
  record: z.literal('company'),
  id: integerId,
  name: nonEmptyText.optional(),
  apiEnabled: withDefault(z.boolean(), true),
});

export const userRecord = z.object({
  record: z.literal('user'),
  companyId,
  id: integerId,
  name: nonEmptyText.optional(),
  email: email.optional(),
});

export const roomRecord = z.object({
  record: z.literal('room'),
  companyId,
  id: uuid,
  name: nonEmptyText.optional(),
  slug: text.nullish(),
  status: withDefault(roomStatus, 'open'),
  ownerId: integerId.nullish(),
  primaryContactEmail: email.nullish(),
  expectedCloseDate: calendarDate.nullish(),
  dealValueCents: integer.nullish(),
  sourceCallId: uuid.nullish(),
  /** The default is the time of the first capture, so null keeps what is stored. */
  createdAt: dateTimeInput.nullish(),
  closedAt: dateTimeInput.nullish(),
});

export const memberRecord = z
  .object({
    record: z.literal('member'),
    companyId,
    roomId: uuid,
    email: email.nullish(),
    name: nonEmptyText.nullish(),
    role: text.nullish(),
    title: nonEmptyText.nullish(),
  })
  .refine((member) => member.email != null || member.name != null, {
    path: ['email'],
    message: 'Invalid input: expected an email or a name',
    when: ({ value }) => isObject(value),
  });

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export const callRecord = z.object({
  record: z.literal('call'),
  companyId,
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
});

export const callSummaryRecord = z.object({
  record: z.literal('callSummary'),
  companyId,
  callId: uuid,
  summary: storedJson(callSummary),
});

export const distributionRecord = z.object({
  record: z.literal('distribution'),
  companyId,
  id: uuid,
  roomId: uuid.optional(),
  recipientName: nonEmptyText.nullish(),
  recipientEmail: email.nullish(),
  callId: uuid.nullish(),
  forwardedFromDistributionId: uuid.nullish(),
});

export const documentRecord = z.object({
  record: z.literal('document'),
  companyId,
  id: uuid,
  roomId: uuid.optional(),
  title: nonEmptyText.optional(),
  category: text.optional(),
  uploadedByProspect: withDefault(z.boolean(), false),
  libraryAssetId: text.nullish(),
});

export const eventRecord = z.object({
  record: z.literal('event'),
  companyId,
  key,
  type: eventType,
  occurredAt: dateTimeInput,
  distributionId: uuid,
  docId: uuid.nullish(),
  metadata: freeFormObject.nullish(),
});

const segment = z
  .tuple([seconds, seconds])
  .refine(([from, to]) => from <= to, 'Invalid segment: expected [from, to] with from <= to');

export const viewRecord = z
  .object({
    record: z.literal('view'),
    companyId,
    key,
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
  })
  .refine((view) => view.endedAt >= view.startedAt, {
    path: ['endedAt'],
    message: 'Invalid date-time: must not be before startedAt',
    // Also if other fields are faulty, so that all errors are reported at once.
    when: ({ value }) => hasDates(value, 'startedAt', 'endedAt'),
  });

function hasDates(value: unknown, ...fields: string[]): boolean {
  return isObject(value) && fields.every((field) => value[field] instanceof Date);
}

export const actionItemRecord = z.object({
  record: z.literal('actionItem'),
  companyId,
  id: uuid,
  roomId: uuid.optional(),
  title: nonEmptyText.optional(),
  dueDate: calendarDate.nullish(),
  /** Null clears `completedBy` as well. */
  completedAt: dateTimeInput.nullish(),
  completedBy: z.enum(['prospect', 'seller']).nullish(),
});

export const messageRecord = z.object({
  record: z.literal('message'),
  companyId,
  key,
  roomId: uuid,
  side: z.enum(['prospect', 'seller']),
  sentAt: dateTimeInput,
  distributionId: uuid.nullish(),
  text: text.nullish(),
});

export const esignRecord = z.object({
  record: z.literal('esign'),
  companyId,
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
});

export const erasePersonRecord = z
  .object({
    record: z.literal('erasePerson'),
    companyId,
    email: email.optional(),
    personId: uuid.optional(),
  })
  .refine((one) => (one.email === undefined) !== (one.personId === undefined), {
    path: ['email'],
    message: 'Invalid input: expected either an email or a personId',
    when: ({ value }) => isObject(value),
  });

export const eraseRoomRecord = z.object({
  record: z.literal('eraseRoom'),
  companyId,
  roomId: uuid,
});

/** Any record, discriminated by its `record` field. */
export const captureRecord = z.discriminatedUnion('record', [
  companyRecord,
  userRecord,
  roomRecord,
  memberRecord,
  callRecord,
  callSummaryRecord,
  distributionRecord,
  documentRecord,
  eventRecord,
  viewRecord,
  actionItemRecord,
  messageRecord,
  esignRecord,
  erasePersonRecord,
  eraseRoomRecord,
]);

/** A record after parsing. */
export type CaptureRecord = z.output<typeof captureRecord>;

/** A record as written in the input, before parsing. */
export type CaptureInput = z.input<typeof captureRecord>;

/** A record of one kind. */
export type RecordOf<K extends CaptureRecord['record']> = Extract<CaptureRecord, { record: K }>;
