import type { Queryable } from '@deal-signals/db/queryable';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import type { FeedPosition, Listed } from '@deal-signals/serializers/feed-page';
import type { JsonOf } from '@deal-signals/serializers/object-text';
import { z } from 'zod';
import { cursorIfEmpty } from '../../http/empty-page.ts';
import { notFound } from '../../http/errors.ts';
import { textPath, uuidPath } from '../../http/input.ts';
import {
  orderedTimePageParameters,
  pageOf,
  type TimeCursors,
  timePageParameters,
} from '../../http/pagination.ts';
import { jsonObject, jsonPage } from '../../http/responses/json-text.ts';
import { dataOperation, type Tag } from '../../http/route.ts';

/** The part of a feed to read. */
interface FeedPage {
  /** Only rows after this position. */
  after?: FeedPosition;
  /** Only rows before this position, newest first. */
  before?: FeedPosition;
  isNewestFirst?: boolean;
  /** Only rows at or after this time. Omitted if `after` implies it. */
  since?: Date | undefined;
  /** One more than the page returns, to detect whether there are more. */
  limit: number;
}

/** The description of one of several operations that list the same feed. */
export interface FeedText {
  description: string;
  /** The cursors of the reverse order, if callers may ask for it. */
  newestFirst?: TimeCursors;
  /** Describes the order of the records of a page, where callers may choose it. */
  order?: string;
}

/** A feed that is sorted by time, and the objects in it. */
interface Feed<
  Item extends z.ZodType<object>,
  Row extends { id: string },
  Key extends keyof Row & keyof z.output<Item>,
  Filters extends z.ZodRawShape,
> extends FeedText {
  operationId: string;
  tag: Tag;
  summary: string;
  cursors: TimeCursors;
  /** Describes the query parameter `updated_since`. */
  updatedSince: string;
  /** The further query parameters. */
  filters: Filters;
  item: Item;
  example: z.output<Item> & { id: string } & Record<Key, string>;
  /** The field that the feed is sorted by, in a row and in its object. */
  sortKey: Key;
  find: (
    db: Queryable,
    companyId: number,
    page: FeedPage & z.output<z.ZodObject<Filters>>,
  ) => Promise<Listed<Row>[]>;
  text: (row: Row) => JsonOf<z.output<Item>>;
}

/** Creates the operation that lists a feed. An object that changes is returned again at its new position. */
export function feed<
  Item extends z.ZodType<object>,
  Row extends { id: string } & Record<Key, Date>,
  Key extends keyof Row & keyof z.output<Item> & string,
  Filters extends z.ZodRawShape,
>({
  cursors,
  newestFirst,
  order,
  updatedSince,
  filters,
  item,
  example,
  sortKey,
  find,
  text,
  ...described
}: Feed<Item, Row, Key, Filters>) {
  const page = z.object({
    ...timePageParameters(cursors),
    updated_since: dateTimeInput.optional().meta({ description: updatedSince }),
  });
  const parameters = newestFirst === undefined ? page : page.extend(orderedTimePageParameters(newestFirst));
  return dataOperation({
    ...described,
    query: parameters.extend(filters),
    response: pageOf(item, order),
    example: {
      data: [example],
      nextCursor: (newestFirst ?? cursors).write({ at: new Date(example[sortKey]), id: example.id }),
      hasMore: true,
    },
    async handler({ companyId, query }, { db }) {
      const given = query as z.output<typeof page> & { order?: 'asc' | 'desc' };
      const { cursor, limit, updated_since: since, order: direction, ...others } = given;
      // The compiler cannot infer that the other parameters are the filters.
      const filtered = others as unknown as z.output<z.ZodObject<Filters>>;
      const isNewestFirst = direction === 'desc';
      const inOrder = isNewestFirst && newestFirst !== undefined ? newestFirst : cursors;
      const rows = await find(db, companyId, {
        ...filtered,
        ...(isNewestFirst
          ? { before: inOrder.after(cursor, undefined), since, isNewestFirst }
          : { after: inOrder.after(cursor, since) }),
        limit: limit + 1,
      });
      const ifEmpty = await cursorIfEmpty(db, rows, inOrder, { cursor, since });
      return jsonPage(rows, limit, ifEmpty, text, (row) => inOrder.write({ at: row[sortKey], id: row.id }));
    },
  });
}

/** An object of the API that is read by its id. */
interface Readable<Item extends z.ZodType<object>, Row> {
  operationId: string;
  tag: Tag;
  summary: string;
  /** Whether the ids are UUIDs, as almost everywhere, or texts of another system. */
  ids?: 'uuid' | 'text';
  item: Item;
  example: z.output<Item>;
  /** Reads the object as a list of one, which is empty if the workspace has none with this id. */
  find: (db: Queryable, companyId: number, id: string) => Promise<Row[]>;
  text: (row: Row) => JsonOf<z.output<Item>>;
}

/** Creates the operation that reads one object by its id. */
export function readOne<Item extends z.ZodType<object>, Row>({
  ids = 'uuid',
  item,
  example,
  find,
  text,
  ...described
}: Readable<Item, Row>) {
  return dataOperation({
    ...described,
    params: ids === 'uuid' ? uuidPath : textPath,
    // The compiler cannot infer that the output of this schema is `{ data: z.output<Item> }`.
    response: z.object({ data: item }) as unknown as z.ZodType<{ data: z.output<Item> }>,
    example: { data: example },
    async handler({ companyId, params }, { db }) {
      const [row] = await find(db, companyId, params.id);
      if (row === undefined) throw notFound();
      return jsonObject(text(row));
    },
  });
}
