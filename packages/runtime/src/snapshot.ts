import { within } from './within.ts';

/** How often and how long something is read for others to look at. */
export interface SnapshotLimits {
  /** What is younger is given again, an earlier failure included. */
  maxAgeMs: number;
  /** Who asks does not wait longer. */
  deadlineMs: number;
}

/**
 * Reads something that is costly, for any number of askers: once at a time, and not again while it is young.
 *
 * @returns a function that gives what was read, or null when that failed or is not there in time. It never rejects.
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
    return within(deadlineMs, reading).catch(() => null);
  };
}
