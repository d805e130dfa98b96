import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { JsonBody } from './json-text.ts';

/** A body is serialized in parts of about this size, and one that has several parts is written with back-pressure. */
const PART_BYTES = 256 * 1_024;
/** How much is handed to the connection at a time. */
const WRITE_BYTES = 64 * 1_024;
/** How much of the digest Express shows in an ETag. */
const DIGEST_CHARACTERS = 27;

/** A serialized body: text if it is one part, else the bytes of its parts. */
export type Serialized = string | Buffer[];

/**
 * Responds with a JSON body. The bytes and the headers are those of Express's `response.json`, which sends what is one part. Each
 * part of a larger body is only compressed and written when the caller has read what came before.
 */
export async function sendJson(request: Request, response: Response, body: Serialized): Promise<void> {
  response.type('json');
  if (typeof body === 'string') {
    response.send(body);
    return;
  }
  const length = lengthOf(body);
  // The form in which Express writes ETags.
  response.set('ETag', `W/"${length.toString(16)}-${digestOf(body).slice(0, DIGEST_CHARACTERS)}"`);
  if (request.fresh) {
    response.removeHeader('Content-Type');
    response.status(304).end();
    return;
  }
  response.set('Content-Length', String(length));
  if (request.method === 'HEAD') response.end();
  else await write(response, body);
}

/** Serializes a JSON body in parts of about the same size. Other requests get their turn between two parts. */
export async function serializeJson(body: object): Promise<Serialized> {
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
  if (parts.length === 0) return text;
  parts.push(Buffer.from(text));
  return parts;
}

/** The JSON text of an object. A list, such as the records of a page, comes item by item. */
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

/** The bytes of a serialized body. One part is no larger than `PART_BYTES`, so its characters will do. */
export function lengthOf(parts: Serialized): number {
  if (typeof parts === 'string') return parts.length;
  return parts.reduce((length, part) => length + part.length, 0);
}

/** The SHA-1 of a body in base64, as Express computes it. */
function digestOf(body: readonly Buffer[]): string {
  const digest = createHash('sha1');
  for (const part of body) digest.update(part);
  return digest.digest('base64');
}

/** Writes a body and ends the response. Stops early if the caller disconnects. */
async function write(response: Response, parts: Buffer[]): Promise<void> {
  let isClosed = response.destroyed;
  let wake = () => {};
  // One listener for the whole body: the compression does not give back a listener that is removed.
  response.on('drain', () => wake());
  response.on('close', () => {
    isClosed = true;
    wake();
  });
  // Parts that were written are released.
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
