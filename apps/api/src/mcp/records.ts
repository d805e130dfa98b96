import type { z } from 'zod';
import { parseQuery } from '../http/input.ts';
import { JsonBody, JsonPage } from '../http/responses/json-text.ts';
import type { Context, DataOperation } from '../http/route.ts';
import { shorten } from './shorten.ts';
import type { ToolCaller } from './tool.ts';

/** Limits of what a tool reads from a feed. */
export interface Bounds {
  /** Maximum number of records. */
  limit: number;
  /** Maximum total length of their JSON. A longer record is shortened. */
  characters: number;
  /** Maximum length of one record; the total by default. */
  recordCharacters?: number;
}

/** Records of a feed, and the cursor after them. */
export interface Records {
  data: Record<string, unknown>[];
  nextCursor: string;
  hasMore: boolean;
}

/**
 * Reads records of a feed with the operation that serves the feed.
 *
 * @param query the parameters of the feed. Undefined ones are omitted.
 * @throws the errors of the operation.
 */
export async function readRecords(
  list: DataOperation,
  query: Readonly<Record<string, string | undefined>>,
  { limit, characters, recordCharacters = characters }: Bounds,
  caller: ToolCaller,
  context: Context,
): Promise<Records> {
  const data: Record<string, unknown>[] = [];
  let length = 0;
  const page = await readPage(list, { ...query, limit: String(limit) }, caller, context);
  for (const [index, text] of page.texts.entries()) {
    const record = JSON.parse(text) as Record<string, unknown>;
    const max = Math.min(characters, recordCharacters);
    const shown = text.length <= max ? record : shorten(text, max);
    const added = shown === record ? text.length : JSON.stringify(shown).length;
    if (data.length > 0 && length + added > characters) {
      return { data, nextCursor: page.cursorAfter(index), hasMore: true };
    }
    data.push(shown);
    length += added;
  }
  return { data, nextCursor: page.nextCursor, hasMore: page.hasMore };
}

/** Returns the longest prefix of items whose total JSON is short enough, but at least one item. */
export function fitting<Item>(items: readonly Item[], characters: number): Item[] {
  let length = 0;
  return items.filter((item, index) => {
    length += JSON.stringify(item).length + 1;
    return index === 0 || length <= characters;
  });
}

async function readPage(
  list: DataOperation,
  query: Readonly<Record<string, string | undefined>>,
  caller: ToolCaller,
  context: Context,
): Promise<JsonPage<object>> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const page = await list.handler(
    { ...caller, params: {}, query: parseQuery(list, given), body: {} },
    context,
  );
  if (!(page instanceof JsonPage)) throw new TypeError(`${list.operationId} returns no page of texts`);
  return page as JsonPage<object>;
}

/**
 * Reads one object with the operation that serves it.
 *
 * @throws the errors of the operation; ApiError NOT_FOUND if the workspace has no such object.
 */
export async function readObject<T extends object>(
  get: DataOperation<z.ZodType<{ data: T }>>,
  id: string,
  caller: ToolCaller,
  context: Context,
): Promise<T> {
  const body = await get.handler({ ...caller, params: { id }, query: {}, body: {} }, context);
  const parsed = body instanceof JsonBody ? (JSON.parse([...body.pieces].join('')) as { data: T }) : body;
  return parsed.data;
}
