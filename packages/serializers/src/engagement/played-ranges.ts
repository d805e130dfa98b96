/** A played range in seconds; `from` is inclusive, `to` is exclusive. */
export type Segment = readonly [from: number, to: number];

/** The total seconds played, including rewatches. */
export function playedSeconds(segments: readonly Segment[]): number {
  return segments.reduce((sum, [from, to]) => sum + (to - from), 0);
}

/**
 * The number of distinct seconds played: a second that was watched twice counts once.
 *
 * @param durationSeconds the length of the recording, or null if unknown. Seconds beyond the end do not count.
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
 * The percentage of a recording that was played, rounded down, at most 100.
 *
 * @param distinct the number of distinct seconds played.
 * @param durationSeconds the length of the recording.
 * @returns null if the length is unknown (null or 0). A view then shows null; the heat-map and the room metrics show 0.
 */
export function completionPercent(distinct: number, durationSeconds: number | null): number | null {
  return durationSeconds ? Math.min(100, Math.floor((100 * distinct) / durationSeconds)) : null;
}
