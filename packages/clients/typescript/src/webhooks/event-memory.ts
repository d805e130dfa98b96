/**
 * Remembers the events that were handled, so that a delivery that arrives twice is handled once. Keep it in your database
 * if you have several processes, or if handling an event twice does harm after a restart.
 */
export interface EventMemory {
  /** Whether the event was handled. */
  has(eventId: string): boolean | Promise<boolean>;
  /** Notes that the event was handled. */
  add(eventId: string): void | Promise<void>;
}

const DEFAULT_SIZE = 10_000;

/** Remembers the latest events in this process. It forgets them when the process ends. */
export function createEventMemory(size = DEFAULT_SIZE): EventMemory {
  const ids = new Set<string>();
  return {
    has: (eventId) => ids.has(eventId),
    add(eventId) {
      ids.add(eventId);
      const [oldest] = ids;
      if (ids.size > size && oldest !== undefined) ids.delete(oldest);
    },
  };
}
