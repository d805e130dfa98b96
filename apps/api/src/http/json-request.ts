import { isDeeperThan, MAX_JSON_DEPTH } from '@deal-signals/serializers/json-depth';
import express, { type Request, type Response } from 'express';
import { invalidRequest } from './errors.ts';

/** How large the body of a request may be. */
export const MOST_BODY_BYTES = 100 * 1_024;

/** Parses every body as JSON, whatever its Content-Type is. */
const jsonParser = express.json({ limit: MOST_BODY_BYTES, type: () => true });

/**
 * Parses the body. Called after authentication, so that the bodies of unauthenticated callers are never read.
 *
 * @throws ApiError INVALID_REQUEST if it is nested too deeply; errors of the body parser.
 */
export async function readBody(request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    jsonParser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  if (isDeeperThan(MAX_JSON_DEPTH, request.body)) {
    throw invalidRequest(`body: must not be nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
}
