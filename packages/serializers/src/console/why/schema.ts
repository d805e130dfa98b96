import { z } from 'zod';
import { dateTime } from '../../date-time.ts';
import { integerId } from '../../engagement/event.ts';
import { webhookDelivery } from '../../webhooks/delivery.ts';

/** Every code of a verdict on an endpoint. */
export const WHY_CODES = {
  dead: 'deliveries have failed for good; `at` is the time of the newest of their events',
  parked_disabled: 'deliveries wait until the endpoint is enabled',
  awaiting_verification: 'deliveries wait until a test event succeeds at the endpoint',
  waiting: 'deliveries wait for their next attempt, at `until`',
  rate_limited:
    'deliveries are due and wait only for the rate limit of the endpoint (`maxPerMinute`), approximately until `until`',
  in_progress: 'deliveries are claimed, and an attempt is in progress or about to begin',
  disabled_then: 'the endpoint was disabled, so the events were not written for it',
  workspace_off:
    'the API was switched off for the workspace: events were not written, or deliveries wait until it is switched on',
  created_later: 'the endpoint was created after the events, at `until`',
  unknown:
    'the endpoint should have been sent the events and was not, and no stored record explains it: they were captured without webhooks or long after they happened, or the state or the filter of the endpoint at that time is not recorded',
  filtered:
    'the filter that the endpoint has had since `since` does not match the events or, if none were written, the objects as they are now',
  delivered: 'deliveries have arrived; `at` is when the newest of them did',
  dismissed: 'deliveries have failed for good, and an admin dismissed them',
  removed: 'the endpoint was removed at `since`',
  not_subscribed: 'the endpoint did not subscribe to the event types',
  no_event: 'no recorded change of the object causes an event',
  no_such_event_type: 'there is no such event type',
} as const;

/** The code of a verdict. */
export type WhyCode = keyof typeof WHY_CODES;

/** The reason why an endpoint was disabled. */
export const DISABLED_BY = ['admin', 'failures', 'gone', 'unknown'] as const;

const whyVerdict = z
  .object({
    code: z.string().meta({
      description: `${Object.entries(WHY_CODES)
        .map(([code, text]) => `\`${code}\`: ${text}`)
        .join('. ')}. Open enumeration: new values may appear`,
    }),
    count: z
      .int()
      .meta({ description: 'Number of deliveries, or of events without a delivery, that it is about' }),
    isCountExact: z.boolean().meta({ description: 'False if there may be more' }),
    isCertain: z.boolean().meta({
      description: 'False if the events are only possible, because a change may have caused them',
    }),
    eventTypes: z.array(z.string()).meta({ description: 'The types of these events' }),
    at: dateTime.nullable().meta({ description: 'The time of the newest of these events' }),
    since: dateTime.nullable().meta({
      description: 'When the state that explains it began; null if that is not recorded, or if there is none',
    }),
    until: dateTime
      .nullable()
      .meta({ description: 'When that state ended or ends; null if that is not known' }),
    attempts: z
      .int()
      .nullable()
      .meta({ description: 'Finished attempts of `deliveryId` in its current schedule' }),
    maxAttempts: z.int().nullable().meta({ description: 'Number of attempts of a schedule' }),
    maxPerMinute: z.int().nullable().meta({ description: 'The rate limit that deliveries wait for' }),
    statusCode: z.int().nullable().meta({ description: 'The last status of `deliveryId`' }),
    error: z.string().nullable().meta({ description: 'The last error of `deliveryId`' }),
    deliveryId: integerId
      .nullable()
      .meta({ description: 'The newest delivery that was attempted; if there is none, the newest' }),
    disabledBy: z.enum(DISABLED_BY).nullable().meta({
      description:
        'Who or what disabled the endpoint: an `admin`, 20 `failures` in a row by default, a 410 (`gone`), or `unknown`',
    }),
    user: z
      .object({ id: z.int(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The admin who did it' }),
    timeIs: z.enum(['recorded', 'occurred', 'changed']).nullable().meta({
      description:
        'The times at which the state of the endpoint was checked: `recorded`: exactly those of the events. `occurred`: those of the occurrences, which were captured then or later. `changed`: those of the last changes of the objects. Null for deliveries',
    }),
  })
  .meta({ id: 'WhyVerdict' });

/** A verdict in the API. */
export type WhyVerdict = z.infer<typeof whyVerdict>;

const whyHappened = z
  .object({
    eventType: z.string(),
    count: z.int().meta({ description: 'Number of events, or of occurrences that cause one' }),
    written: z.int().meta({ description: 'Number of them for which an event was written, for any endpoint' }),
    isCountExact: z.boolean().meta({ description: 'False if there may be more' }),
    isCertain: z.boolean().meta({
      description: 'False if a change may have caused such an event, but its content is not recorded',
    }),
    firstAt: dateTime,
    lastAt: dateTime,
    sources: z
      .array(
        z.enum([
          'webhook_events',
          'engagement_events',
          'engagement_views',
          'calls',
          'rooms',
          'esign_documents',
        ]),
      )
      .meta({
        description: 'The source of this information',
      }),
  })
  .meta({ id: 'WhyHappened' });

/** The occurrences of an object by event type. */
export type WhyHappened = z.infer<typeof whyHappened>;

const whyChange = z
  .object({
    at: dateTime,
    action: z.string().meta({ description: 'The action of the audit record' }),
    auditRecordId: integerId,
    user: z.object({ id: z.int(), name: z.string().nullable() }).nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WhyChange' });

/** A change of an endpoint or of the workspace. */
export type WhyChange = z.infer<typeof whyChange>;

const whyEndpoint = z
  .object({
    endpoint: z.object({
      id: z.int(),
      url: z.string(),
      description: z.string().nullable(),
      events: z.array(z.string()),
      filter: z.record(z.string(), z.unknown()).nullable(),
      enabled: z.boolean(),
      disabledReason: z.string().nullable(),
      awaitingVerification: z.boolean(),
      createdAt: dateTime,
      removedAt: dateTime.nullable(),
    }),
    verdicts: z.array(whyVerdict).meta({
      description: 'At least one; the one that best explains a missing delivery is first',
    }),
    deliveries: z
      .array(webhookDelivery)
      .meta({ description: 'The newest deliveries that the verdicts are about, at most 20' }),
    changes: z.array(whyChange).meta({
      description: 'The changes of the endpoint that affect what is sent to it, newest first, at most 20',
    }),
  })
  .meta({ id: 'WhyEndpoint' });

/** The deliveries and verdicts of an object at one endpoint. */
export type WhyEndpoint = z.infer<typeof whyEndpoint>;

/** The object in question. */
const whyObject = z.object({
  kind: z.enum(['room', 'call', 'event', 'delivery']),
  id: z.string(),
  title: z.string().nullable(),
  roomId: z.guid().nullable(),
  callId: z.guid().nullable(),
  eventId: z.guid().nullable(),
  eventType: z.string().nullable(),
});

/** The explanation why endpoints received events or did not. */
export const why = z
  .object({
    object: whyObject,
    since: dateTime.meta({ description: 'The start of the period that was examined' }),
    until: dateTime.meta({ description: 'Its end' }),
    lookedBackTo: dateTime.nullable().meta({
      description:
        'If there is too much in that period: the time since which everything was examined. Otherwise null',
    }),
    code: z
      .enum(['no_event', 'no_such_event_type', 'no_endpoint'])
      .nullable()
      .meta({ description: 'The verdict that applies to all endpoints; null if they differ' }),
    lastChangedAt: dateTime.nullable().meta({
      description: 'When the room or call last changed, whether or not that caused an event',
    }),
    happened: z.array(whyHappened),
    workspaceChanges: z.array(whyChange).meta({
      description: 'When the API was switched off and on for the workspace, newest first, at most 20',
    }),
    endpoints: z.array(whyEndpoint).meta({
      description:
        'The endpoints of the workspace, and those removed since then, at most 100. The one whose first verdict best explains a missing delivery is first',
    }),
  })
  .meta({ id: 'Why' });

/** The explanation in the API. */
export type Why = z.infer<typeof why>;
export type WhyObject = z.infer<typeof whyObject>;
