import type { Listed } from '@deal-signals/serializers/feed-page';
import type { TextRows } from '@deal-signals/serializers/text-page';
import type { JsonOf } from '@deal-signals/serializers/object-text';
import { type Cursors, type Page, toPage } from '../pagination.ts';

declare const described: unique symbol;

/** A response body whose objects are JSON text already, which is sent unchanged. */
export class JsonBody<Body> {
  declare readonly [described]: Body;
  /** The text of the body in pieces. A piece is at most one object of a list, so that other requests can run in between. */
  readonly pieces: Iterable<string>;

  constructor(pieces: Iterable<string>) {
    this.pieces = pieces;
  }
}

/** A response with one object. */
export function jsonObject<T>(text: JsonOf<T>): JsonBody<{ data: T }> {
  return new JsonBody([`{"data":${text}}`]);
}

/** A page of a list whose objects are JSON texts. */
export class JsonPage<Item> extends JsonBody<Page<Item>> {
  /** The JSON texts of the objects. */
  readonly texts: readonly JsonOf<Item>[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
  /** Returns the cursor after the first `count` objects of the page. */
  readonly cursorAfter: (count: number) => string;

  constructor({ data, ...end }: Page<JsonOf<Item>>, cursorAfter: (count: number) => string) {
    super(piecesOf(data, end));
    this.texts = data;
    this.nextCursor = end.nextCursor;
    this.hasMore = end.hasMore;
    this.cursorAfter = cursorAfter;
  }
}

/** Like `toPage`, for rows whose objects are JSON texts. */
export function jsonPage<Row, Item>(
  rows: readonly Listed<Row>[],
  limit: number,
  cursor: string,
  textOf: (row: Row) => JsonOf<Item>,
  cursorOf: (row: Row) => string,
  reached: string | null = null,
): JsonPage<Item> {
  const page = toPage(rows, limit, cursor, textOf, cursorOf, reached);
  return new JsonPage(page, (count) => {
    const last = rows[count - 1];
    return last === undefined ? cursor : cursorOf(last);
  });
}

/** Like `jsonPage`, for a feed in id order. */
export function textPage<Item>(
  { rows, reached }: TextRows<Item>,
  limit: number,
  cursor: string,
  cursors: Cursors<bigint>,
): JsonPage<Item> {
  return jsonPage(
    rows,
    limit,
    cursor,
    ({ text }) => text,
    ({ id }) => cursors.write(id),
    reached === null ? null : cursors.write(reached),
  );
}

function* piecesOf(texts: readonly string[], end: Omit<Page<unknown>, 'data'>): Generator<string> {
  yield '{"data":[';
  let before = '';
  for (const text of texts) {
    yield before + text;
    before = ',';
  }
  yield `],${JSON.stringify(end).slice(1)}`;
}
