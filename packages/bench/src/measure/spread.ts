/** The middle of several measurements and how far they lie apart. */
export interface Spread {
  median: number;
  /** First and third quartile: half of the measurements lie between them. */
  q1: number;
  q3: number;
}

/** Summarises measurements; there must be at least one. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), q1: quantile(values, 0.25), q3: quantile(values, 0.75) };
}

/** The value below which a share of the measurements lies, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
