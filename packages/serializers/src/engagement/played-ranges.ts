/** A played range in seconds, exact to the millisecond; `from` is inclusive, `to` is exclusive. */
export type Segment = readonly [from: number, to: number];

/** What a session of a recording played. */
export interface Played {
  /** Milliseconds, rewatches included. */
  watchMs: number;
  /** Milliseconds, each counted once and only up to the end of the recording. */
  distinctMs: number;
}

/** The seconds played, including rewatches, exact to the millisecond. */
export function playedSeconds(segments: readonly Segment[]): number {
  return watchMs(segments) / 1_000;
}

/**
 * What a session has played, as the functions `played` and `distinct_time` of the database compute it for the roll-ups.
 *
 * @param durationSeconds length of the recording; null or 0 if it is unknown.
 */
export function played(segments: readonly Segment[], durationSeconds: number | null): Played {
  const endMs = durationSeconds ? durationSeconds * 1_000 : Infinity;
  const ranges = segments
    .map(([from, to]): Segment => [inMs(from), Math.min(inMs(to), endMs)])
    .toSorted(([a], [b]) => a - b);
  let distinctMs = 0;
  let reachedMs = 0;
  for (const [from, to] of ranges) {
    distinctMs += Math.max(0, to - Math.max(from, reachedMs));
    reachedMs = Math.max(reachedMs, to);
  }
  return { watchMs: watchMs(segments), distinctMs };
}

/** The played share of a recording in percent, rounded down; null if its length is unknown. */
export function completionPercent(distinctMs: number, durationSeconds: number | null): number | null {
  return durationSeconds ? Math.min(100, Math.floor(distinctMs / (10 * durationSeconds))) : null;
}

function watchMs(segments: readonly Segment[]): number {
  return segments.reduce((ms, [from, to]) => ms + inMs(to) - inMs(from), 0);
}

function inMs(seconds: number): number {
  return Math.round(seconds * 1_000);
}
