import { firstIdAt } from '@deal-signals/db/feeds/position';

/** The only workspace of most tests. */
export const COMPANY = 1;

/** Returns a UUID that a reader recognises by its number. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Returns a moment that a reader recognises: `n` seconds into 2026. */
export const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, n));

let lastFeedId = 0n;
let rowsOfOtherTimes = 0n;

/**
 * Returns an id for a row of an integer feed that a test writes directly: a reading of the feed clock. Without a time, it
 * rises with each call and is higher than the ids that the product assigns in the same millisecond.
 *
 * @param time when the row is supposed to have been written.
 */
export function feedId(time?: Date | string | null): bigint {
  if (time != null) return firstIdAt(new Date(time)) + rowsOfOtherTimes++;
  const id = firstIdAt(new Date()) + 900n;
  lastFeedId = id > lastFeedId ? id : lastFeedId + 1n;
  return lastFeedId;
}
