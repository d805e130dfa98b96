import express, { type Request, type Response } from 'express';

/** Parses every body as JSON, whatever its Content-Type is. */
const jsonParser = express.json({ limit: '100kb', type: () => true });

/** Parses the body. Called after authentication, so that the bodies of unauthenticated callers are never read. */
export function readBody(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    jsonParser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}
