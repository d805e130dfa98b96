import { firstIdAt } from '@deal-signals/db/feeds/position';
import { isStorable } from '@deal-signals/db/storable-text';
import type { FeedPosition, Listed } from '@deal-signals/serializers/feed-page';
import { z } from 'zod';
import { type ApiError, invalidField } from './errors.ts';
import { countTo, oneOf } from './input.ts';

/** Default number of records on a page. */
export const DEFAULT_LIMIT = 100;
/** Maximum number of records on a page. */
export const MAX_LIMIT = 500;
// Not `\d`, which matches the digits of every script in some programs that read the published pattern.
const INTEGER_CURSOR_PATTERN = /^[0-9]{1,18}$/;
/** The published pattern of the cursors of lists that are sorted by time. */
const OPAQUE_CURSOR = '^[A-Za-z0-9_-]*$';
/** Distinguishes the cursors of the descending order of a list from those of the ascending order. */
const DESCENDING_PREFIX = 'before-';
const NEWEST_FIRST = `${DESCENDING_PREFIX}${'9'.repeat(18)}`;

/** An empty cursor counts as no cursor, because a program may send an empty stored value. */
const cursorParameter = z
  .string()
  .transform((cursor) => (cursor === '' ? undefined : cursor))
  .optional();
const limitParameter = countTo(
  MAX_LIMIT,
  DEFAULT_LIMIT,
  'Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB',
);

/** The query parameters of a list that is sorted by time. */
export function timePageParameters({ start }: TimeCursors) {
  return {
    cursor: cursorParameter.meta({
      description:
        'The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning',
      example: start,
      override: { pattern: OPAQUE_CURSOR },
    }),
    limit: limitParameter,
  };
}

/** The query parameters of a list that is sorted by an integer id. */
export const integerPageParameters = {
  cursor: cursorParameter.meta({
    description:
      'The `nextCursor` of an earlier response; the last id received works as well. Never expires. Omit it, or leave it empty, to start from the beginning',
    example: '1789030800000000',
    override: { pattern: '^[0-9]{0,18}$' },
  }),
  limit: limitParameter,
};

const orderParameter = oneOf(['asc', 'desc']).default('asc').meta({
  description:
    'The order of the records: `asc` from the oldest to the newest, `desc` from the newest to the oldest. A cursor continues in the order that it comes from',
});

/** The query parameters of a list that is sorted by an integer id, and that can also be read newest first. */
export const orderedPageParameters = {
  order: orderParameter,
  cursor: cursorParameter.meta({
    description:
      'The `nextCursor` of an earlier response in the same order; one of the other order is an `INVALID_CURSOR`. In ascending order it is the last id received, so the id of any record also works. Never expires. Omit it, or leave it empty, to start from the first record of the order',
    example: '1789030800000000',
    override: { pattern: `^(?:[0-9]{0,18}|${DESCENDING_PREFIX}[0-9]{1,18})$` },
  }),
  limit: limitParameter,
};

/** The query parameters of a list that is sorted by time, and that can also be read newest first. */
export function orderedTimePageParameters({ start }: TimeCursors) {
  return {
    order: orderParameter,
    cursor: cursorParameter.meta({
      description:
        'The `nextCursor` of an earlier response in the same order; one of the other order is an `INVALID_CURSOR`. Opaque; never expires. Omit it, or leave it empty, to start from the first record of the order',
      example: start,
      override: { pattern: OPAQUE_CURSOR },
    }),
    limit: limitParameter,
  };
}

/** The envelope of every paginated list. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string;
  hasMore: boolean;
}

/**
 * Builds the schema of a page from the schema of its records.
 *
 * @param order describes the order of the records.
 */
export function pageOf<Item extends z.ZodType>(
  item: Item,
  order = 'Records in ascending order of the sort key, oldest first',
) {
  return z.object({
    data: z.array(item).meta({ description: order }),
    nextCursor: z.string().meta({
      description:
        'Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present',
    }),
    hasMore: z.boolean().meta({
      description:
        'Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records',
    }),
  });
}

/** Converts positions in one feed to cursors and back. */
export interface Cursors<Position> {
  /** The cursor before the first row. */
  readonly start: string;
  /** The cursor before every row that was written at a time or later; `start` of a list that is read newest first. */
  startAt(time: Date): string;
  write(position: Position): string;
  /** @throws ApiError INVALID_CURSOR for text that `write` of this feed cannot have produced. */
  read(cursor: string): Position;
}

/** The cursors of a feed that is sorted by an integer id: the id itself, in decimal digits. */
export const integerCursors: Cursors<bigint> = {
  start: '0',
  startAt(time) {
    const first = firstIdAt(time);
    return first > 0n ? String(first - 1n) : '0';
  },
  write: String,
  read(text) {
    if (!INTEGER_CURSOR_PATTERN.test(text)) throw invalidCursor();
    return BigInt(text);
  },
};

/**
 * The cursors of a list that is sorted by an integer id and read newest first: the last id received, after a prefix. Without the
 * prefix, a cursor of the other order would be accepted, and the page would have the records on the wrong side of it.
 */
export const descendingCursors: Cursors<bigint> = {
  start: NEWEST_FIRST,
  startAt: () => NEWEST_FIRST,
  write: (id) => `${DESCENDING_PREFIX}${id}`,
  read(text) {
    const id = text.startsWith(DESCENDING_PREFIX) ? text.slice(DESCENDING_PREFIX.length) : '';
    if (!INTEGER_CURSOR_PATTERN.test(id)) throw invalidCursor();
    return BigInt(id);
  },
};

/** The time of the position before the first row. */
const START = new Date('0001-01-01T00:00:00.000Z');
/** The last time that a cursor can hold. */
const LAST_MS = 9_999_999_999_999;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The position after every row of a feed whose ids are UUIDs. */
export const END: FeedPosition = { at: new Date(LAST_MS), id: LAST_UUID };

/** Milliseconds with 13 digits: from September 2001 to November 2286. Feed clocks return no other times. */
const MIN_MS = 1_000_000_000_000;

/** The form of the ids of a feed. */
interface CursorIds {
  schema: z.ZodType<string>;
  /** The id of the position before the first row. */
  first: string;
  /** The position before all rows of a moment. */
  before: (at: Date) => FeedPosition;
}

/** A row may have the nil UUID, and no UUID sorts before it. */
export const UUIDS: CursorIds = {
  schema: z.guid().lowercase(),
  first: NIL_UUID,
  before: (at) => ({ at: new Date(at.getTime() - 1), id: LAST_UUID }),
};

/** Ids that are texts, as capture accepts them; the empty text sorts before all of them. */
export const TEXTS: CursorIds = {
  schema: z.string().max(1_024).refine(isStorable),
  first: '',
  before: (at) => ({ at, id: '' }),
};

/** The cursors of a feed that is sorted by time. */
export interface TimeCursors extends Cursors<FeedPosition> {
  /**
   * The position after which a page begins: that of the cursor, or of the first row at or after `since` if that is later.
   *
   * @throws ApiError INVALID_CURSOR as `read` does.
   */
  after(cursor: string | undefined, since: Date | undefined): FeedPosition;
}

/**
 * The cursors of a feed that is sorted by time: base64url-encoded JSON, opaque to callers. A cursor names its feed, so a cursor
 * of another list is rejected instead of silently skipping rows. It contains the time in milliseconds, which is the precision of
 * every sort key.
 *
 * @param first the start of a list: before every row, or after every row for a list that is read newest first, whose cursors need
 * a name of their own.
 */
export function timeCursors(
  feed: string,
  ids: CursorIds = UUIDS,
  first: FeedPosition = { at: START, id: ids.first },
): TimeCursors {
  const write = ({ at, id }: FeedPosition): string =>
    Buffer.from(JSON.stringify({ feed, at: at.getTime(), id })).toString('base64url');
  const start = write(first);
  const form = z.object({ at: z.int().min(MIN_MS).max(LAST_MS), id: ids.schema });

  function parse(text: string): FeedPosition | null {
    if (text === start) return first;
    try {
      const { at, id } = form.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      return { at: new Date(at), id };
    } catch {
      return null;
    }
  }

  function read(text: string): FeedPosition {
    const position = parse(text);
    // Only the exact text that `write` produces is valid. Other encodings of the same position and cursors of other feeds are
    // not.
    if (position === null || write(position) !== text) throw invalidCursor();
    return position;
  }

  return {
    start,
    // With any id, the previous millisecond sorts before every row of the time.
    startAt: (time) =>
      first !== END && time.getTime() > MIN_MS
        ? write({ at: new Date(time.getTime() - 1), id: ids.first })
        : start,
    write,
    read,
    after(cursor, since) {
      const position = cursor === undefined ? first : read(cursor);
      // One bound only, because PostgreSQL enters an index by one. With `since` as a second bound, it would read all rows between
      // them.
      return since === undefined || position.at >= since ? position : ids.before(since);
    },
  };
}

/**
 * Builds a page from the rows that were read after a cursor.
 *
 * @param rows up to `limit + 1` rows. The extra row only shows that there are more, and is not returned. Fewer rows can be a page
 * that ended early because of its size: then the last row has the flag that there are more.
 * @param cursor the cursor of the request; an empty page returns it as `nextCursor`.
 * @param reached the cursor of the last row that was examined, if the search for rows stopped there. The next page continues
 * after it.
 */
export function toPage<Row, Item>(
  rows: readonly Listed<Row>[],
  limit: number,
  cursor: string,
  serialize: (row: Row) => Item,
  cursorOf: (row: Row) => string,
  reached: string | null = null,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const data = shown.map(serialize);
  const hasMore = rows.length > limit || last?.isFollowed === true;
  if (!hasMore && reached !== null) return { data, nextCursor: reached, hasMore: true };
  return { data, nextCursor: last === undefined ? cursor : cursorOf(last), hasMore };
}

/** Returns the error for a cursor that the feed cannot have returned. */
export function invalidCursor(): ApiError {
  return invalidField('cursor', 'must be a nextCursor returned by this endpoint', 'INVALID_CURSOR');
}
