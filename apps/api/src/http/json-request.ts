import { isDeeperThan, MAX_JSON_DEPTH } from '@deal-signals/serializers/json-depth';
import express, { type Request, type Response } from 'express';
import { ApiError, invalidRequest } from './errors.ts';

/** Maximum size of a request body. */
export const MAX_BODY_BYTES = 100 * 1_024;

/** Reads every body, regardless of its Content-Type. */
const bodyReader = express.raw({ limit: MAX_BODY_BYTES, type: () => true });

/** Rejects bytes that are not UTF-8, which Express's own JSON parser would replace by U+FFFD. Skips a byte order mark. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/**
 * Parses the body as JSON into `request.body`: undefined without a body, and an empty object for one of zero bytes. Called after
 * authentication, so that the bodies of unauthenticated callers are never read.
 *
 * @throws ApiError if the body is not JSON in UTF-8, is too large, is nested too deeply, or cannot be read.
 */
export async function readBody(request: Request, response: Response): Promise<void> {
  requireUtf8(request.get('content-type'));
  await new Promise<void>((resolve, reject) => {
    bodyReader(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(toBodyError(error)),
    );
  });
  if (Buffer.isBuffer(request.body)) request.body = parseJson(request.body);
  if (isDeeperThan(MAX_JSON_DEPTH, request.body)) {
    throw invalidRequest(`body: must not be nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
}

/** Converts an error of the body reader that the caller caused: one with a 4xx `status` and a `type`. */
function toBodyError(error: unknown): unknown {
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return error;
  if (type === 'entity.too.large') {
    return new ApiError('PAYLOAD_TOO_LARGE', 'body: must not be larger than 100 KiB');
  }
  if (type === 'encoding.unsupported') {
    return invalidRequest('body: Content-Encoding must be gzip, deflate, br or identity');
  }
  return new ApiError('INVALID_REQUEST', 'body: could not be read to the end', { cause: error });
}

function requireUtf8(contentType = ''): void {
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw notUtf8();
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const value = parseText(decode(bytes));
  // Checked here, because an operation with an optional body would treat null as no body.
  if (typeof value !== 'object' || value === null) throw invalidRequest('body: must be a JSON object');
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('body: must be valid JSON');
  }
}

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

function notUtf8() {
  return invalidRequest('body: must be encoded in UTF-8');
}
