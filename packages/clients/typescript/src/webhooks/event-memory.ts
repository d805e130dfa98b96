/**
 * Remembers which events were handled, so that a delivery that arrives twice is handled once. Keep it in your database if you
 * run several processes, or if handling an event twice after a restart does harm.
 */
export interface EventMemory {
  /** Whether the event was handled. */
  has(eventId: string): boolean | Promise<boolean>;
  /** Records that the event was handled. */
  add(eventId: string): void | Promise<void>;
}

const DEFAULT_SIZE = 10_000;

/** Creates a memory of the latest events. It lasts until the process ends. */
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
