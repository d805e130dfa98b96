import type { Call } from '@deal-signals/serializers/calls/call';
import type { EngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { EsignDocument } from '@deal-signals/serializers/rooms/esign-document';
import type { Room } from '@deal-signals/serializers/rooms/room';

/** The body of every delivery; `data` depends on the type. */
export type Envelope = { id: string; apiVersion: string; createdAt: string; companyId: number } & (
  | { type: 'engagement.recorded'; data: EngagementEvent }
  | { type: 'call.summary.created'; data: Call }
  | { type: 'decision_room.updated'; data: Room }
  | { type: 'decision_room.esign.updated'; data: { buyerSpaceId: string; document: EsignDocument } }
  | { type: 'integration.ping'; data: { endpointId: number; message: string } }
);

/** Says in a few words what a delivery is about. */
export function describeDelivery(envelope: Envelope): string {
  switch (envelope.type) {
    case 'engagement.recorded': {
      const { actor, type, demoTitle, metadata } = envelope.data;
      const who = actor.name ?? actor.email ?? 'somebody';
      const { title } = metadata;
      const what = typeof title === 'string' ? title : (demoTitle ?? 'the room');
      return `${who}: ${type} (${what})`;
    }
    case 'call.summary.created': {
      const { title, summary } = envelope.data;
      return `${title ?? 'a call'}: ${summary?.headline ?? 'summarised'}`;
    }
    case 'decision_room.updated': {
      const { name, status, dealValueCents, expectedCloseDate } = envelope.data;
      const value = dealValueCents === null ? 'no value yet' : (dealValueCents / 100).toLocaleString('en');
      return `${name}: ${status}, ${value}, closing ${expectedCloseDate ?? 'some day'}`;
    }
    case 'decision_room.esign.updated': {
      const { subject, status } = envelope.data.document;
      return `${subject ?? 'a contract'}: ${status}`;
    }
    case 'integration.ping':
      return envelope.data.message;
    default:
      // New types may come at any time: acknowledge and ignore them.
      return 'a type that this receiver does not know';
  }
}
