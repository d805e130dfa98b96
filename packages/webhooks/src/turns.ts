/** Runs what has the same key one after the other, in the order of asking, and the rest side by side. */
export type Turns = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Creates turns that are kept in this process. A key costs memory only while somebody has it or waits for it. */
export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<void>>();
  return (key, run) => {
    const result = (lastOf.get(key) ?? Promise.resolve()).then(run);
    const ended = result.then(
      () => {},
      () => {},
    );
    lastOf.set(key, ended);
    void ended.then(() => {
      if (lastOf.get(key) === ended) lastOf.delete(key);
    });
    return result;
  };
}
