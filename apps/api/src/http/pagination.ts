import { z } from 'zod';
import { ApiError } from './errors.ts';
import { UUID_FORM } from './input.ts';

const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 500;
const LIMIT_FORM = `must be a whole number from 1 to ${MOST_LIMIT}`;
const INTEGER_CURSOR_FORM = /^\d{1,18}$/;

const cursorParameter = z.string().optional();
const limitParameter = z
  .string()
  .regex(/^\d{1,3}$/, LIMIT_FORM)
  .transform(Number)
  .refine((count) => count >= 1 && count <= MOST_LIMIT, LIMIT_FORM)
  .default(DEFAULT_LIMIT)
  .meta({
    description: 'Most records of the page',
    override: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_LIMIT,
      default: DEFAULT_LIMIT,
      pattern: undefined,
    },
  });

/** The query parameters of a list that is sorted by a moment. */
export const timePageParameters = {
  cursor: cursorParameter.meta({
    description:
      'Where to go on: a `nextCursor` of this very endpoint, opaque and good for ever. Left out: from the beginning',
  }),
  limit: limitParameter,
};

/** The query parameters of a list that is sorted by an integer id. */
export const integerPageParameters = {
  cursor: cursorParameter.meta({
    description:
      'Where to go on: the last id held, which is also the `nextCursor` of a page. Left out: from the beginning',
    example: '1000000000000',
    override: { pattern: INTEGER_CURSOR_FORM.source },
  }),
  limit: limitParameter,
};

/** The envelope of every list of records. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string;
  hasMore: boolean;
}

/** The schema of the envelope around records of a schema. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).meta({ description: 'Ascending on the sort key, oldest first' }),
    nextCursor: z.string().meta({
      description: 'Goes on behind this page, today or later; there even when `hasMore` is false',
    }),
    hasMore: z.boolean().meta({ description: 'Whether there were more records when this page was read' }),
  });
}

/** How one feed writes positions as text and reads them back. */
export interface Cursors<Position> {
  /** The position before the first row. */
  readonly start: string;
  write(position: Position): string;
  /** @throws ApiError INVALID_CURSOR for text that `write` of this feed would not have given. */
  read(cursor: string): Position;
}

/** Positions in a feed that is sorted by an integer id: the id itself, in digits. */
export const integerCursors: Cursors<bigint> = {
  start: '0',
  write: String,
  read(text) {
    if (!INTEGER_CURSOR_FORM.test(text)) throw invalidCursor();
    return BigInt(text);
  },
};

/** Where a row stands in a feed that is sorted by a moment and, among equal moments, by id. */
export interface TimePosition {
  at: Date;
  id: string;
}

/** The range that a timestamp of PostgreSQL shares with a four-digit year. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const MOST_CURSOR_CHARACTERS = 200;

/**
 * Positions in a feed that is sorted by a moment, as base64url of JSON: opaque to callers. A position names its feed,
 * so that one taken from another list is refused instead of silently skipping rows, and carries the moment in
 * milliseconds, which is the precision of every sort key.
 */
export function timeCursors(feed: string): Cursors<TimePosition> {
  const content = z.strictObject({
    feed: z.literal(feed),
    at: z.int().min(EARLIEST_MS).max(LATEST_MS),
    id: z.string().regex(UUID_FORM),
  });
  const write = ({ at, id }: TimePosition): string =>
    Buffer.from(JSON.stringify({ feed, at: at.getTime(), id })).toString('base64url');
  return {
    start: write({ at: new Date(EARLIEST_MS), id: NIL_UUID }),
    write,
    read(text) {
      if (text.length > MOST_CURSOR_CHARACTERS) throw invalidCursor();
      const { data } = content.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
      if (data === undefined) throw invalidCursor();
      const position = { at: new Date(data.at), id: data.id };
      // Decoders forgive much (other alphabets, stray characters, blanks in the JSON): one position has one spelling.
      if (write(position) !== text) throw invalidCursor();
      return position;
    },
  };
}

/**
 * A position from which on rows are not older than a moment. PostgreSQL begins to read an index at one bound only, so a
 * second condition on the sort key would not save it from walking everything between the two.
 */
export function notBefore(position: TimePosition, since: Date | undefined): TimePosition {
  if (since === undefined || position.at >= since) return position;
  return { at: new Date(since.getTime() - 1), id: LAST_UUID };
}

/**
 * The page of rows that were read after a position.
 *
 * @param rows up to one more than `limit`: the one too many says that there is more, and is not shown.
 * @param position the cursor text that was read from; an empty page hands it back.
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  position: string,
  serialize: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(serialize),
    nextCursor: last === undefined ? position : cursorOf(last),
    hasMore: rows.length > limit,
  };
}

function invalidCursor(): ApiError {
  return new ApiError('INVALID_CURSOR', 'cursor: must be a nextCursor of this endpoint');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
