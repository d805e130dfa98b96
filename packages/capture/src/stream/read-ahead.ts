/** What happened first. */
export type Arrival<T> =
  | { kind: 'value'; value: T }
  | { kind: 'end' }
  | { kind: 'failed'; error: unknown }
  /** The time was over, or the signal came. */
  | { kind: 'none' };

/** Reads an iterable one value ahead, so that the next value is prepared while the last one is dealt with. */
export interface Arrivals<T> {
  /** Waits for the next value, for a limited time. A value that comes later is returned by the next call. */
  next(waitMs: number, signal?: AbortSignal): Promise<Arrival<T>>;
  /** Reads nothing more. */
  close(): void;
}

export function readAhead<T>(input: AsyncIterable<T>): Arrivals<T> {
  const iterator = input[Symbol.asyncIterator]();
  const read = (): Promise<Arrival<T>> =>
    iterator.next().then(
      ({ done, value }) => (done === true ? { kind: 'end' } : { kind: 'value', value }),
      (error: unknown) => ({ kind: 'failed', error }),
    );
  let ahead = read();
  return {
    async next(waitMs, signal) {
      const arrival = await firstOf(ahead, waitMs, signal);
      if (arrival.kind === 'value') ahead = read();
      return arrival;
    },
    close() {
      // An iterator that waits for a value ends after that value.
      iterator.return?.().catch(() => {});
    },
  };
}

function firstOf<T>(
  ahead: Promise<Arrival<T>>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<Arrival<T>> {
  if (signal?.aborted) return Promise.resolve({ kind: 'none' });
  if (waitMs === Infinity && signal === undefined) return ahead;
  return new Promise((resolve) => {
    const complete = (arrival: Arrival<T>): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      resolve(arrival);
    };
    const giveUp = (): void => complete({ kind: 'none' });
    const timer = waitMs === Infinity ? undefined : setTimeout(giveUp, Math.max(0, waitMs));
    signal?.addEventListener('abort', giveUp);
    void ahead.then(complete);
  });
}
