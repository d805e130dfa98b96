import { withTimeout } from './with-timeout.ts';

/** How often a snapshot is taken, and how long callers wait for it. */
export interface SnapshotLimits {
  /** A younger snapshot is returned again, even if taking it failed. */
  maxAgeMs: number;
  /** Maximum time a caller waits. */
  deadlineMs: number;
}

/**
 * Shares an expensive read between any number of callers. It runs once at a time, and not again while its result is young.
 *
 * @returns a function that returns the result, or null when the read failed or takes too long. It never rejects.
 */
export function createSnapshot<T>(
  read: () => Promise<T>,
  { maxAgeMs, deadlineMs }: SnapshotLimits,
): () => Promise<T | null> {
  let reading: Promise<T | null> | undefined;
  let startedAtMs = -Infinity;
  let isUnderWay = false;

  function renew(): Promise<T | null> {
    startedAtMs = performance.now();
    isUnderWay = true;
    return read()
      .catch(() => null)
      .finally(() => {
        isUnderWay = false;
      });
  }

  return () => {
    const isYoung = performance.now() - startedAtMs < maxAgeMs;
    if (reading === undefined || !(isUnderWay || isYoung)) reading = renew();
    return withTimeout(deadlineMs, reading).catch(() => null);
  };
}
