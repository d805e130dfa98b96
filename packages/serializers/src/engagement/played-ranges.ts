/** A played range in seconds, exact to the millisecond; `from` is inclusive, `to` is exclusive. */
export type Segment = readonly [from: number, to: number];

/** The seconds played, including rewatches, exact to the millisecond. */
export function playedSeconds(segments: readonly Segment[]): number {
  return (
    segments.reduce((ms, [from, to]) => ms + Math.round(to * 1_000) - Math.round(from * 1_000), 0) / 1_000
  );
}

/** The distinct milliseconds of a recording that were played, up to its end; a length of null or 0 is unknown. */
export function distinctMs(segments: readonly Segment[], durationSeconds: number | null): number {
  const endMs = durationSeconds ? durationSeconds * 1_000 : Infinity;
  const ranges = segments
    .map(([from, to]) => [Math.round(from * 1_000), Math.min(Math.round(to * 1_000), endMs)] as const)
    .toSorted(([a], [b]) => a - b);
  let sum = 0;
  let playedTo = 0;
  for (const [from, to] of ranges) {
    sum += Math.max(0, to - Math.max(from, playedTo));
    playedTo = Math.max(playedTo, to);
  }
  return sum;
}

/** The played share of a recording in percent, rounded down; null if its length is unknown. */
export function completionPercent(playedMs: number, durationSeconds: number | null): number | null {
  return durationSeconds ? Math.min(100, Math.floor(playedMs / (10 * durationSeconds))) : null;
}
