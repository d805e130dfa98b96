/** What has been started and how to end it, to be ended in reverse order. */
export interface Closers {
  add(what: string, close: () => Promise<unknown>): void;
  /** Ends everything; a failure is reported and the rest is ended all the same. */
  closeAll(onError: (what: string, error: unknown) => void): Promise<void>;
}

/** An empty list. */
export function createClosers(): Closers {
  const entries: { what: string; close: () => Promise<unknown> }[] = [];
  return {
    add: (what, close) => void entries.push({ what, close }),
    async closeAll(onError) {
      for (let entry = entries.pop(); entry !== undefined; entry = entries.pop()) {
        try {
          await entry.close();
        } catch (error) {
          onError(entry.what, error);
        }
      }
    },
  };
}
