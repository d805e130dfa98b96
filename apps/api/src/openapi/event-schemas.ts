import type { EventType } from '@deal-signals/outbox/event-types';
import { call } from '@deal-signals/serializers/calls/call';
import { dateTime } from '@deal-signals/serializers/date-time';
import { engagementEvent } from '@deal-signals/serializers/engagement/event';
import { esignDocument } from '@deal-signals/serializers/rooms/esign-document';
import { room } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';

/** The schema of `data` for each event type. */
export const eventData = {
  'engagement.recorded': engagementEvent,
  'call.summary.created': call,
  'decision_room.updated': room,
  'decision_room.esign.updated': z.object({ buyerSpaceId: z.uuid(), document: esignDocument }),
  'integration.ping': z.object({ endpointId: z.int(), message: z.string() }),
} as const satisfies Record<EventType, z.ZodType>;

/** The body of every delivery of an event type. */
export function eventEnvelope(type: EventType) {
  return z.object({
    id: z.uuid().meta({
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
