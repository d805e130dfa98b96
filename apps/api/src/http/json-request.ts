import express, { type Request, type Response } from 'express';

/** How large the body of a request may be. */
export const MOST_BODY_BYTES = 100 * 1_024;

/** Parses every body as JSON, whatever its Content-Type is. */
const jsonParser = express.json({ limit: MOST_BODY_BYTES, type: () => true });

/** Parses the body. Called after authentication, so that the bodies of unauthenticated callers are never read. */
export function readBody(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    jsonParser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}
