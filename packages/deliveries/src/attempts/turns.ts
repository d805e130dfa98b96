/** Runs functions with the same key one after the other, in the order of the calls, and different keys in parallel. */
export type Turns = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Creates turns within this process. A key takes memory only while a call with it runs or waits. */
export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const previous = lastOf.get(key);
    const turn = (async () => {
      // A failure of the previous call is reported to its own caller.
      await previous?.catch(() => {});
      return run();
    })();
    lastOf.set(key, turn);
    try {
      return await turn;
    } finally {
      if (lastOf.get(key) === turn) lastOf.delete(key);
    }
  };
}
