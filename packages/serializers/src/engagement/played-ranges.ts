/** A played range in seconds, exact to the millisecond; `from` is inclusive, `to` is exclusive. */
export type Segment = readonly [from: number, to: number];

/** The seconds played, including rewatches, exact to the millisecond. */
export function playedSeconds(segments: readonly Segment[]): number {
  return (
    segments.reduce((ms, [from, to]) => ms + Math.round(to * 1_000) - Math.round(from * 1_000), 0) / 1_000
  );
}
