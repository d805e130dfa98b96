import type { Call } from '@deal-signals/serializers/calls/call';
import type { EngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { EngagementView } from '@deal-signals/serializers/engagement/view';
import type { EsignDocument } from '@deal-signals/serializers/rooms/esign-document';
import type { Room } from '@deal-signals/serializers/rooms/room';
import type { Envelope } from '../../../../../docs/examples/receiver/receive-deliveries.mts';

const nameOf = ({ name, email }: EngagementEvent['actor']): string => name ?? email ?? 'somebody';

const ofRoom = ({ name, status, dealValueCents, expectedCloseDate }: Room): string => {
  const value = dealValueCents === null ? 'no value yet' : (dealValueCents / 100).toLocaleString('en');
  return `${name}: ${status}, ${value}, closing ${expectedCloseDate ?? 'date not set'}`;
};

/** What is said about the event types that this receiver knows. The most telling words come first: a terminal shows two dozen characters. */
const SUBJECTS = {
  'engagement.recorded': ({ actor, type, demoTitle, metadata: { title } }: EngagementEvent) =>
    `${type}: ${typeof title === 'string' ? title : (demoTitle ?? 'the room')}, by ${nameOf(actor)}`,
  'engagement.view.recorded': ({ actor, demoTitle, watchSeconds }: EngagementView) =>
    `${watchSeconds} s of ${demoTitle ?? 'a document'}, by ${nameOf(actor)}`,
  'call.recorded': ({ title, kind, status }: Call) => `${title ?? kind}: ${status}`,
  'call.summary.created': ({ title, summary }: Call) =>
    `${title ?? 'a call'}: ${summary?.headline ?? 'summarised'}`,
  'decision_room.created': ({ name }: Room) => `${name}: a new room`,
  'decision_room.updated': ofRoom,
  'decision_room.esign.updated': ({ document: { subject, status } }: { document: EsignDocument }) =>
    `${subject ?? 'a contract'}: ${status}`,
  'webhook.endpoint.disabled': (data: { host: string; disabledReason: string }) =>
    `${data.host}: ${data.disabledReason}`,
  'integration.ping': ({ message }: { message: string }) => message,
};

/** Describes a delivery in a few words. The signature is valid, so `data` has the documented shape. */
export function describeDelivery({ type, data }: Envelope): string {
  const known: Partial<Record<string, (data: never) => string>> = SUBJECTS;
  // New types can appear at any time. Acknowledge and ignore them.
  const describe = Object.hasOwn(SUBJECTS, type) ? known[type] : undefined;
  return describe?.(data as never) ?? 'an event type that this receiver does not know';
}
