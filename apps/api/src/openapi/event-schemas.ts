import { call } from '@deal-signals/serializers/calls/call';
import { dateTime } from '@deal-signals/serializers/date-time';
import { engagementEvent } from '@deal-signals/serializers/engagement/event';
import { esignDocument } from '@deal-signals/serializers/rooms/esign-document';
import { room } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import type { EventType } from '@deal-signals/outbox/event-types';

/** What the `data` of each event type is. */
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
      description: 'The same for every endpoint and every retry: whoever keeps it recognises a repetition',
    }),
    type: z.literal(type),
    apiVersion: z.iso.date().meta({ description: 'The date of the contract; informational' }),
    createdAt: dateTime.meta({ description: 'When the event happened, not when this attempt was sent' }),
    companyId: z.int().meta({ description: 'The workspace, as in `company.id` of the status' }),
    data: eventData[type],
  });
}
