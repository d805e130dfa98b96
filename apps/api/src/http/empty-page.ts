import type { Queryable } from '@deal-signals/db/queryable';
import { MAX_AHEAD_MS } from '@deal-signals/db/feeds/position';
import type { Cursors } from './pagination.ts';

/** The start of a page: a cursor or, without one, a time. */
export interface Beginning {
  cursor: string | undefined;
  since: Date | undefined;
}

/**
 * Returns the cursor of an empty page: the cursor of the caller or, for a first page with a time filter, the position from which
 * the page was read. That position is ten minutes before the time of the filter, because an event may be recorded after it
 * occurred. If the filter is in the future, it is ten minutes before the present, so that it does not skip what is recorded next.
 * Open transactions are much shorter, and clocks differ by less.
 *
 * @param rows the rows that were found.
 */
export async function cursorIfEmpty<Position>(
  db: Queryable,
  rows: readonly unknown[],
  cursors: Cursors<Position>,
  { cursor, since }: Beginning,
): Promise<string> {
  if (cursor !== undefined) return cursor;
  if (since === undefined || rows.length > 0) return cursors.start;
  // The clock of the database, which positions come from, not the clock of this process.
  const [server] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return cursors.startAt(new Date(Math.min(since.getTime(), server.now.getTime()) - MAX_AHEAD_MS));
}
