/** A half-open range of seconds that was played. */
export type Segment = readonly [from: number, to: number];

/** All seconds played, rewatches included. */
export function playedSeconds(segments: readonly Segment[]): number {
  return segments.reduce((sum, [from, to]) => sum + (to - from), 0);
}

/**
 * The distinct seconds played.
 *
 * @param durationSeconds the length of the recording; whatever lies beyond it does not count. Null when unknown.
 */
export function distinctSeconds(segments: readonly Segment[], durationSeconds: number | null): number {
  const end = durationSeconds ?? Number.POSITIVE_INFINITY;
  let distinct = 0;
  let covered = 0;
  for (const [from, to] of segments.toSorted(([a], [b]) => a - b)) {
    const start = Math.max(from, covered);
    const stop = Math.min(to, end);
    if (stop > start) {
      distinct += stop - start;
      covered = stop;
    }
  }
  return distinct;
}

/**
 * The share of a recording that was played, in percent, rounded down. Rewatching does not add.
 *
 * @param durationSeconds the length of the recording; nothing can be said while it is unknown, which counts as 0.
 */
export function completionPercent(segments: readonly Segment[], durationSeconds: number | null): number {
  return durationSeconds
    ? Math.floor((100 * distinctSeconds(segments, durationSeconds)) / durationSeconds)
    : 0;
}
