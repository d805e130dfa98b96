import type { Call } from '@deal-signals/serializers/calls/call';
import type { EngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { EngagementView } from '@deal-signals/serializers/engagement/view';
import type { EsignDocument } from '@deal-signals/serializers/rooms/esign-document';
import type { Room } from '@deal-signals/serializers/rooms/room';
import type { Envelope } from '../../../../docs/examples/receiver/receive-deliveries.mts';

/** The event types that this receiver knows, and what `data` holds for each. */
type KnownEvent =
  | { type: 'engagement.recorded'; data: EngagementEvent }
  | { type: 'call.recorded' | 'call.summary.created'; data: Call }
  | { type: 'decision_room.created' | 'decision_room.updated'; data: Room }
  | { type: 'decision_room.esign.updated'; data: { buyerSpaceId: string; document: EsignDocument } }
  | { type: 'engagement.view.recorded'; data: EngagementView }
  | { type: 'webhook.endpoint.disabled'; data: { host: string; disabledReason: string } }
  | { type: 'integration.ping'; data: { endpointId: number; message: string } };

/** Describes a delivery in a few words. A terminal of 80 columns shows two dozen characters, so the most telling come first. */
export function describeDelivery(envelope: Envelope): string {
  // The signature is valid, so `data` has the documented shape.
  const event = envelope as KnownEvent;
  switch (event.type) {
    case 'engagement.recorded': {
      const { actor, type, demoTitle, metadata } = event.data;
      const { title } = metadata;
      const what = typeof title === 'string' ? title : (demoTitle ?? 'the room');
      return `${type}: ${what}, by ${nameOf(actor)}`;
    }
    case 'engagement.view.recorded': {
      const { actor, demoTitle, watchSeconds } = event.data;
      return `${watchSeconds} s of ${demoTitle ?? 'a document'}, by ${nameOf(actor)}`;
    }
    case 'call.recorded': {
      const { title, kind, status } = event.data;
      return `${title ?? kind}: ${status}`;
    }
    case 'call.summary.created': {
      const { title, summary } = event.data;
      return `${title ?? 'a call'}: ${summary?.headline ?? 'summarised'}`;
    }
    case 'decision_room.created':
      return `${event.data.name}: a new room`;
    case 'decision_room.updated': {
      const { name, status, dealValueCents, expectedCloseDate } = event.data;
      const value = dealValueCents === null ? 'no value yet' : (dealValueCents / 100).toLocaleString('en');
      return `${name}: ${status}, ${value}, closing ${expectedCloseDate ?? 'date not set'}`;
    }
    case 'decision_room.esign.updated': {
      const { subject, status } = event.data.document;
      return `${subject ?? 'a contract'}: ${status}`;
    }
    case 'webhook.endpoint.disabled':
      return `${event.data.host}: ${event.data.disabledReason}`;
    case 'integration.ping':
      return event.data.message;
    default:
      // New types can appear at any time. Acknowledge and ignore them.
      return 'an event type that this receiver does not know';
  }
}

function nameOf({ name, email }: EngagementEvent['actor']): string {
  return name ?? email ?? 'somebody';
}
