import { withTimeout } from './with-timeout.ts';

/** How often a snapshot is taken, and how long callers wait for it. */
export interface SnapshotLimits {
  /** How long a snapshot is returned before a new one is taken, even if taking it failed. */
  maxAgeMs: number;
  /** The maximum time a caller waits. */
  deadlineMs: number;
}

/**
 * Shares an expensive read between any number of callers. One read runs at a time, and its result is reused for `maxAgeMs`.
 *
 * @returns a function that returns the result, or null if the read failed or takes too long. It never rejects.
 */
export function createSnapshot<T>(
  read: () => Promise<T>,
  { maxAgeMs, deadlineMs }: SnapshotLimits,
): () => Promise<T | null> {
  let reading: Promise<T | null> | undefined;
  let startedAtMs = -Infinity;
  let isRunning = false;

  function renew(): Promise<T | null> {
    startedAtMs = performance.now();
    isRunning = true;
    return read()
      .catch(() => null)
      .finally(() => {
        isRunning = false;
      });
  }

  return () => {
    const isYoung = performance.now() - startedAtMs < maxAgeMs;
    if (reading === undefined || !(isRunning || isYoung)) reading = renew();
    return withTimeout(deadlineMs, reading).catch(() => null);
  };
}
