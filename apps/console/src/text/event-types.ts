import { EVENTS } from './generated/events.ts';

/** The name of an event type. */
export type EventType = keyof typeof EVENTS;

type ObjectKind = NonNullable<(typeof EVENTS)[EventType]['object']>;

/** Every event type, sorted so that the types of one subject are together. */
export const EVENT_TYPES = (Object.keys(EVENTS) as EventType[]).toSorted();

/** Whether a text is the name of an event type. */
export function isEventType(text: unknown): text is EventType {
  return typeof text === 'string' && Object.hasOwn(EVENTS, text);
}

/** Returns the kind of object that events of a type contain, and its field in their data; nulls for an unknown type. */
export function eventObject(type: string): { object: ObjectKind | null; objectField: string | null } {
  return isEventType(type) ? EVENTS[type] : { object: null, objectField: null };
}

/** Returns what an event of a type reports, as the end of a sentence ("an event says that …"); null for an unknown type. */
export function eventMeaning(type: string): string | null {
  return isEventType(type) ? EVENTS[type].meaning : null;
}
