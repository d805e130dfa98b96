import type { Queryable } from '@deal-signals/db/database';
import { MAX_AHEAD_MS } from '@deal-signals/db/feeds/position';
import type { Cursors } from './pagination.ts';

/** Where a page begins: after a cursor or, without one, at a time. */
export interface Beginning {
  cursor: string | undefined;
  since: Date | undefined;
}

/**
 * Returns the cursor that a page hands back if it is empty: that of the caller or, for a first page with a time filter, the
 * position from which it looked. That is ten minutes before the time of the filter, because what is recorded then may have
 * occurred at that time already; and ten minutes before the present if the filter is in the future, because what is
 * recorded next must not be behind it. Open transactions are much shorter, and clocks differ by less.
 *
 * @param rows what was found.
 */
export async function cursorIfEmpty<Position>(
  db: Queryable,
  rows: readonly unknown[],
  cursors: Cursors<Position>,
  { cursor, since }: Beginning,
): Promise<string> {
  if (cursor !== undefined) return cursor;
  if (since === undefined || rows.length > 0) return cursors.start;
  // The clock that positions come from, not the one of this process.
  const [server] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return cursors.startAt(new Date(Math.min(since.getTime(), server.now.getTime()) - MAX_AHEAD_MS));
}
