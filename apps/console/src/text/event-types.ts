import type { operations } from '../api/generated/console.ts';

/** The name of an event type, as the delivery log is filtered by it. */
export type EventType = NonNullable<
  NonNullable<operations['listDeliveries']['parameters']['query']>['event_type']
>;

/** What an event of each type reports, as the end of a sentence: "an event says that …". */
const MEANINGS: Record<EventType, string> = {
  'engagement.recorded': 'somebody did something in a room',
  'engagement.view.recorded': 'somebody watched a recording or read a document',
  'call.recorded': 'a call was recorded',
  'call.summary.created': 'a call has a summary',
  'decision_room.created': 'a room was created',
  'decision_room.updated': 'a room changed',
  'decision_room.esign.updated': 'a contract of a room changed its status',
  'person.erased': 'a person was erased',
  'room.erased': 'a room was erased',
  'webhook.endpoint.disabled': 'an endpoint was disabled',
  'integration.ping': 'an admin tests an endpoint',
};

/** Every event type, in the order of a choice. */
export const EVENT_TYPES = Object.keys(MEANINGS) as EventType[];

/** Whether a text is the name of an event type. */
export function isEventType(text: unknown): text is EventType {
  return typeof text === 'string' && Object.hasOwn(MEANINGS, text);
}

/** What an event of a type reports; null for a type that the console does not know. */
export function meaningOf(type: string): string | null {
  return isEventType(type) ? MEANINGS[type] : null;
}
