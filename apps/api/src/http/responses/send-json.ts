import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { JsonBody } from './json-text.ts';

/** A body is serialized in parts of about this size. A body of several parts is written with back-pressure. */
const PART_BYTES = 256 * 1_024;
/** Number of bytes that are passed to the connection at a time. */
const WRITE_BYTES = 64 * 1_024;

/**
 * Responds with a JSON body. The bytes and the headers are those of Express's `response.json`, which sends bodies of one part.
 * Each part of a larger body is compressed and written only after the caller has read the previous one.
 */
export async function sendJson(request: Request, response: Response, body: Buffer[]): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (body.length === 1) {
    response.send(body[0]);
    return;
  }
  // The same as Express computes for a body that it sends itself.
  const etag = response.app.get('etag fn') as (body: Buffer) => string;
  response.set('ETag', etag(Buffer.concat(body)));
  if (request.fresh) {
    response.removeHeader('Content-Type');
    response.status(304).end();
    return;
  }
  response.set('Content-Length', String(lengthOf(body)));
  if (request.method === 'HEAD') response.end();
  else await write(response, body);
}

/** Serializes a JSON body in parts of about the same size. Other requests can run between two parts. */
export async function serializeJson(body: object): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let text = '';
  for (const piece of body instanceof JsonBody ? body.pieces : piecesOf(body)) {
    if (text.length + piece.length > PART_BYTES && text !== '') {
      parts.push(Buffer.from(text));
      text = '';
      await nextTurn();
    }
    text += piece;
  }
  parts.push(Buffer.from(text));
  return parts;
}

/** Yields the JSON text of an object. A list, such as the records of a page, is split into its items. */
function* piecesOf(body: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!Array.isArray(value)) {
      yield JSON.stringify(value);
      continue;
    }
    yield '[';
    for (const [index, item] of value.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(item)}`;
    yield ']';
  }
  yield before === '{' ? '{}' : '}';
}

/** Returns the number of bytes of a serialized body. */
export function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((length, part) => length + part.length, 0);
}

/** Writes a body and ends the response. Stops early if the caller disconnects. */
async function write(response: Response, parts: Buffer[]): Promise<void> {
  let isClosed = response.destroyed;
  let wake = () => {};
  // One listener for the whole body, because the compression stream does not release a removed listener.
  response.on('drain', () => wake());
  response.on('close', () => {
    isClosed = true;
    wake();
  });
  // Written parts are released.
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    for (let start = 0; start < part.length; start += WRITE_BYTES) {
      if (isClosed) return;
      if (!response.write(part.subarray(start, start + WRITE_BYTES))) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }
  response.end();
}
