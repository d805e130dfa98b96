/** A played range in seconds; `from` is inclusive, `to` is exclusive. */
export type Segment = readonly [from: number, to: number];

/** The total seconds played, including rewatches. */
export function playedSeconds(segments: readonly Segment[]): number {
  return segments.reduce((sum, [from, to]) => sum + (to - from), 0);
}
