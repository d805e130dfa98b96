/** Started resources, which are closed in reverse order. */
export interface Closers {
  /** Adds an entry. `what` names it in error messages. */
  add(what: string, close: () => Promise<unknown>): void;
  /** Closes everything. If something fails to close, reports it to `onError` and continues with the rest. */
  closeAll(onError: (what: string, error: unknown) => void): Promise<void>;
}

/** Creates an empty list. */
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
