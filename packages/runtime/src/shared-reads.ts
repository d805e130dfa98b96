import { createTurns } from './turns.ts';

/** Runs a read, or joins one with the same key that has not begun. */
export type SharedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Shares reads between callers without keeping a result. At most one read of a key runs at a time. Callers that arrive
 * meanwhile share the next one, which begins afterwards. So a read always begins after its caller asked for it: its
 * result is as fresh as that of a read of the caller's own.
 */
export function createSharedReads<T>(): SharedReads<T> {
  const inTurn = createTurns();
  const notBegun = new Map<string, Promise<T>>();
  return (key, read) => {
    const joined = notBegun.get(key);
    if (joined !== undefined) return joined;
    const reading = inTurn.run(key, () => {
      notBegun.delete(key);
      return read();
    });
    // A turn starts after `run` has returned, so this comes before the line that deletes it.
    notBegun.set(key, reading);
    return reading;
  };
}
