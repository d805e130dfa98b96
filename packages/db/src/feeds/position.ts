/**
 * Number of ids of a feed per millisecond. A transaction that read the feed clock at millisecond P gives its n-th row of a feed,
 * counted from 0, the id P * 1000 + n. Until the year 2255 that is an integer that a double represents exactly; until 2286 it has
 * 16 digits, so ids also sort correctly as texts.
 */
export const IDS_PER_MS = 1_000;

/** The greatest id that the database type can hold. */
export const GREATEST_ID = 2n ** 63n - 1n;

/** Returns the least id of the rows that were written when the feed clock read this time. */
export function firstIdAt(time: Date): bigint {
  return BigInt(time.getTime()) * BigInt(IDS_PER_MS);
}

/** A part of a feed of ids. Omitted bounds do not limit it. */
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

/** Returns the range of ids of a part of a feed: `first` is included, `end` is excluded, and undefined means no bound. */
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
 * Maximum time that an engagement may be dated ahead of the feed clock, because its time comes from another clock. Capture
 * rejects later times. Without a limit, `since` would have to read every record.
 */
export const MAX_AHEAD_MS = 600_000;

/** Returns the least id that a row can have whose event occurred at this time or later. */
export function firstIdOccurringAt(time: Date): bigint {
  return firstIdAt(new Date(time.getTime() - MAX_AHEAD_MS));
}
