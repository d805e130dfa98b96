import type { JsonOf } from '@deal-signals/serializers/object-text';
import { type Page, toPage } from './pagination.ts';
import type { Listed } from '@deal-signals/serializers/feed-page';

declare const described: unique symbol;

/** A response body whose objects are JSON text already, which is sent as it is. */
export class JsonBody<Body> {
  declare readonly [described]: Body;
  /** The text of the body. One piece is at most an object of a list, so that other requests get their turn in between. */
  readonly pieces: Iterable<string>;

  constructor(pieces: Iterable<string>) {
    this.pieces = pieces;
  }
}

/** A response with one object. */
export function jsonObject<T>(text: JsonOf<T>): JsonBody<{ data: T }> {
  return new JsonBody([`{"data":${text}}`]);
}

/** Like `toPage`, for rows whose objects are JSON texts. */
export function jsonPage<Row, Item>(
  rows: readonly Listed<Row>[],
  limit: number,
  cursor: string,
  textOf: (row: Row) => JsonOf<Item>,
  cursorOf: (row: Row) => string,
): JsonBody<Page<Item>> {
  const { data, ...end } = toPage(rows, limit, cursor, textOf, cursorOf);
  return new JsonBody(piecesOf(data, end));
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
