/** Runs what has the same key one after the other, in the order of asking, and the rest side by side. */
export type Turns = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Creates turns that are kept in this process. A key costs memory only while somebody has it or waits for it. */
export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const before = lastOf.get(key);
    const turn = (async () => {
      // Whatever became of the one before is its own caller's business.
      await before?.catch(() => {});
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
