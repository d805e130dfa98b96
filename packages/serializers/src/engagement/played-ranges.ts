// The database functions `played`, `distinct_time` and `completion_percent` compute the played parts of a recording.

/** A played range in seconds, exact to the millisecond; `from` is inclusive, `to` is exclusive. */
export type Segment = readonly [from: number, to: number];

/** Returns the seconds played, including rewatches, exact to the millisecond. */
export function playedSeconds(segments: readonly Segment[]): number {
  return segments.reduce((ms, [from, to]) => ms + inMs(to) - inMs(from), 0) / 1_000;
}

function inMs(seconds: number): number {
  return Math.round(seconds * 1_000);
}
