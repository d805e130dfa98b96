import { callKind, callStatus, participant, talkTime } from '@deal-signals/serializers/calls/call';
import { callSummary } from '@deal-signals/serializers/calls/call-summary';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import { esignStatus } from '@deal-signals/serializers/rooms/esign-document';
import { roomStatus } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import {
  calendarDate,
  count,
  email,
  integerId,
  isStorableJson,
  jsonObject,
  nonEmptyText,
  text,
  uuid,
} from './values.ts';

// The records that capture accepts. A record with an id is an upsert: an omitted optional field keeps its stored value
// and null clears it, hence `.nullish()`. A field with a default cannot be cleared, hence `.optional()`.

const companyId = integerId;
const key = nonEmptyText;
const storable = { message: 'Invalid object: NUL and unpaired surrogates cannot be stored' };

export const companyRecord = z.object({
  record: z.literal('company'),
  id: integerId,
  name: nonEmptyText,
  apiEnabled: z.boolean().optional(),
});

export const userRecord = z.object({
  record: z.literal('user'),
  companyId,
  id: integerId,
  name: nonEmptyText,
  email,
});

export const roomRecord = z.object({
  record: z.literal('room'),
  companyId,
  id: uuid,
  name: nonEmptyText,
  slug: text.nullish(),
  status: roomStatus.optional(),
  ownerId: integerId.nullish(),
  primaryContactEmail: email.nullish(),
  expectedCloseDate: calendarDate.nullish(),
  dealValueCents: z.int().nullish(),
  sourceCallId: uuid.nullish(),
  createdAt: dateTimeInput.optional(),
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
    title: text.nullish(),
  })
  .refine((member) => member.email != null || member.name != null, {
    path: ['email'],
    message: 'Invalid input: expected an email or a name',
  });

export const callRecord = z.object({
  record: z.literal('call'),
  companyId,
  id: uuid,
  kind: callKind,
  occurredAt: dateTimeInput,
  ownerId: integerId,
  status: callStatus.optional(),
  completedAt: dateTimeInput.nullish(),
  title: text.nullish(),
  prospectName: text.nullish(),
  durationSeconds: count.nullish(),
  roomId: uuid.nullish(),
  participants: z.array(participant).refine(isStorableJson, storable).optional(),
  talkTime: talkTime.refine(isStorableJson, storable).nullish(),
  disqualifiedAt: dateTimeInput.nullish(),
  disqualifiedReason: text.nullish(),
});

export const callSummaryRecord = z.object({
  record: z.literal('callSummary'),
  companyId,
  callId: uuid,
  summary: callSummary.refine(isStorableJson, storable),
});

export const distributionRecord = z.object({
  record: z.literal('distribution'),
  companyId,
  id: uuid,
  roomId: uuid,
  recipientName: nonEmptyText.nullable(),
  recipientEmail: email.nullable(),
  callId: uuid.nullish(),
  forwardedFromDistributionId: uuid.nullish(),
});

export const documentRecord = z.object({
  record: z.literal('document'),
  companyId,
  id: uuid,
  roomId: uuid,
  title: text,
  category: text,
  uploadedByProspect: z.boolean().optional(),
  libraryAssetId: text.nullish(),
});

export const eventRecord = z.object({
  record: z.literal('event'),
  companyId,
  key,
  type: nonEmptyText,
  occurredAt: dateTimeInput,
  distributionId: uuid,
  docId: uuid.nullish(),
  metadata: jsonObject.nullish(),
});

const segment = z
  .tuple([count, count])
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
    segments: z.array(segment).nullish(),
  })
  .refine((view) => view.endedAt >= view.startedAt, {
    path: ['endedAt'],
    message: 'Invalid date-time: must not be before startedAt',
  })
  .refine((view) => count.safeParse(playedSeconds(view.segments ?? [])).success, {
    path: ['segments'],
    message: 'Too big: expected fewer than 2^31 seconds in total',
  });

export const actionItemRecord = z.object({
  record: z.literal('actionItem'),
  companyId,
  id: uuid,
  roomId: uuid,
  title: text,
  dueDate: calendarDate.nullish(),
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
  roomId: uuid,
  vendor: text,
  envelopeId: text,
  status: esignStatus,
  subject: text.nullish(),
  recipientCount: count.nullish(),
  sentAt: dateTimeInput.nullish(),
  firstViewedAt: dateTimeInput.nullish(),
  lastEventAt: dateTimeInput.nullish(),
  completedAt: dateTimeInput.nullish(),
  declinedAt: dateTimeInput.nullish(),
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
]);

/** A record after parsing. */
export type CaptureRecord = z.output<typeof captureRecord>;

/** A record as written in the input, before parsing. */
export type CaptureInput = z.input<typeof captureRecord>;

/** A record of one kind. */
export type RecordOf<K extends CaptureRecord['record']> = Extract<CaptureRecord, { record: K }>;
