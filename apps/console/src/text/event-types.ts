import { EVENTS } from './generated/events.ts';

/** The name of an event type. */
export type EventType = keyof typeof EVENTS;

type ObjectKind = NonNullable<(typeof EVENTS)[EventType]['object']>;

/** Every event type, in the order of a choice: those of one subject together. */
export const EVENT_TYPES = (Object.keys(EVENTS) as EventType[]).toSorted();

/** Whether a text is the name of an event type. */
export function isEventType(text: unknown): text is EventType {
  return typeof text === 'string' && Object.hasOwn(EVENTS, text);
}

/** The kind of the object that events of a type show, and the field of their data that holds it; nulls for an unknown type. */
export function objectOf(type: string): { object: ObjectKind | null; objectField: string | null } {
  return isEventType(type) ? EVENTS[type] : { object: null, objectField: null };
}

/** What an event of a type reports, as the end of a sentence ("an event says that …"); null for a type that the console does not know. */
export function meaningOf(type: string): string | null {
  return isEventType(type) ? EVENTS[type].meaning : null;
}
