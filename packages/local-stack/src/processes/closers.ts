/** What has been started and has to be closed, in reverse order. */
export interface Closers {
  /** `what` names the thing in messages. */
  add(what: string, close: () => Promise<unknown>): void;
  /** Closes everything. An error is reported to `onError` and does not keep the rest open. */
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
