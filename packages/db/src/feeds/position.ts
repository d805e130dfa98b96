/**
 * How many ids of a feed fall on a millisecond. A transaction that read the feed clock at millisecond P gives its n-th row
 * of a feed, counted from 0, the id P * 1000 + n. Until the year 2255 that is an integer that a double holds exactly; until
 * 2286 it has 16 digits, so that ids sort the same as texts.
 */
export const IDS_PER_MS = 1_000;

/** The greatest id that the database's type holds. */
export const GREATEST_ID = 2n ** 63n - 1n;

/** The least id that a row can have that was written when the feed clock read this time. */
export function firstIdAt(time: Date): bigint {
  return BigInt(time.getTime()) * BigInt(IDS_PER_MS);
}

/** A part of a feed of ids. What is left out does not bound it. */
export interface FeedPart {
  /** Only rows with a greater id. */
  after?: bigint | undefined;
  /** Only rows with a smaller id. */
  before?: bigint | undefined;
  /** Only rows that were written at this time or later. */
  since?: Date | undefined;
  /** Only rows that were written before this time. */
  until?: Date | undefined;
}

/** Returns the ids of a part of a feed: from `first` on, up to `end`, which is excluded; undefined where it has no bound. */
export function idsOf({ after, before, since, until }: FeedPart): {
  first: bigint | undefined;
  end: bigint | undefined;
} {
  const firsts = [after === undefined ? undefined : after + 1n, since && firstIdAt(since)];
  const ends = [before, until && firstIdAt(until)];
  const given = (bounds: (bigint | undefined)[]) => bounds.filter((bound) => bound !== undefined);
  return {
    first: given(firsts).reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined),
    end: given(ends).reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined),
  };
}

/**
 * How far ahead of the feed clock an engagement may be dated: its clock is not ours. Capture refuses what is dated later.
 * Without a bound, `since` would have to look at all that was ever recorded.
 */
export const MAX_AHEAD_MS = 600_000;

/** The least id that a row can have that records something which occurred at this time or later. */
export function firstIdOccurringAt(time: Date): bigint {
  return firstIdAt(new Date(time.getTime() - MAX_AHEAD_MS));
}
