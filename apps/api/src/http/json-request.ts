import { isDeeperThan, MAX_JSON_DEPTH } from '@deal-signals/serializers/json-depth';
import express, { type Request, type Response } from 'express';
import { ApiError, invalidRequest } from './errors.ts';

/** How large the body of a request may be. */
export const MOST_BODY_BYTES = 100 * 1_024;

/** Parses every body as JSON, whatever its Content-Type is. */
const jsonParser = express.json({ limit: MOST_BODY_BYTES, type: () => true });

/**
 * Parses the body. Called after authentication, so that the bodies of unauthenticated callers are never read.
 *
 * @throws ApiError if the body is not valid JSON, is too large, is nested too deeply, or cannot be read.
 */
export async function readBody(request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    jsonParser(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(toBodyError(error)),
    );
  });
  if (isDeeperThan(MAX_JSON_DEPTH, request.body)) {
    throw invalidRequest(`body: must not be nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
}

/** Converts an error of the body parser that the caller caused: one with a 4xx `status` and a `type`. */
function toBodyError(error: unknown): unknown {
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return error;
  if (type === 'entity.too.large') {
    return new ApiError('PAYLOAD_TOO_LARGE', 'body: must not be larger than 100 KiB');
  }
  if (type === 'entity.parse.failed') return invalidRequest('body: must be valid JSON');
  if (type === 'charset.unsupported') return invalidRequest('body: must be encoded in UTF-8');
  if (type === 'encoding.unsupported') {
    return invalidRequest('body: Content-Encoding must be gzip, deflate, br or identity');
  }
  return new ApiError('INVALID_REQUEST', 'body: could not be read to the end', { cause: error });
}
