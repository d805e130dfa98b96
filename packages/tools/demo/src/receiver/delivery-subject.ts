import { EVENTS } from '@deal-signals/serializers/events/events';
import type { Envelope } from '../../../../../docs/examples/receiver/receive-deliveries.mts';

/** The length of the longest event type. */
export const TYPE_WIDTH = Math.max(...Object.keys(EVENTS).map(({ length }) => length));

/** Describes a delivery in a few words. The signature is valid, so `data` has the documented shape. */
export function describeDelivery({ type, data }: Envelope): string {
  // New types can appear at any time. Acknowledge and ignore them.
  if (!Object.hasOwn(EVENTS, type)) return 'an event type that this receiver does not know';
  return EVENTS[type as keyof typeof EVENTS].describe(data);
}
