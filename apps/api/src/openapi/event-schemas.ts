import type { EndpointDisabled } from '@deal-signals/deliveries/endpoints/announce-disabling';
import type { EventType } from '@deal-signals/outbox/event-types';
import { call } from '@deal-signals/serializers/calls/call';
import { dateTime } from '@deal-signals/serializers/date-time';
import { engagementEvent } from '@deal-signals/serializers/engagement/event';
import { engagementView } from '@deal-signals/serializers/engagement/view';
import { erasure } from '@deal-signals/serializers/erasures/erasure';
import { esignDocument } from '@deal-signals/serializers/rooms/esign-document';
import { room } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';

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

/** The schema of `data` for each event type. */
export const eventData = {
  'engagement.recorded': engagementEvent,
  'call.summary.created': call,
  'decision_room.updated': room,
  'decision_room.esign.updated': z.object({ buyerSpaceId: z.guid(), document: esignDocument }),
  'decision_room.created': room,
  'call.recorded': call,
  'engagement.view.recorded': engagementView,
  'person.erased': erasure,
  'room.erased': erasure,
  'webhook.endpoint.disabled': endpointDisabled,
  'integration.ping': z.object({ endpointId: z.int(), message: z.string() }),
} as const satisfies Record<EventType, z.ZodType>;

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
    data: eventData[type],
  });
}
