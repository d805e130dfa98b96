import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** The media type of newline-delimited JSON: one object a line. */
export const NDJSON = 'application/x-ndjson';

/** Reports whether the caller prefers lines to a JSON document. A caller that accepts both equally gets the document. */
export function prefersLines(request: Request): boolean {
  return request.accepts(['application/json', NDJSON]) === NDJSON;
}

/** The methods of a generator that are needed to read lines from it. */
export type Lines = Pick<AsyncGenerator<string, void>, 'next'> & { return: () => Promise<unknown> };

/**
 * Sends lines as they are read. The next lines are read only after the caller has received the previous ones, so memory stays
 * bounded for any length of response and any speed of the caller.
 *
 * @throws the errors of reading the first lines, before anything is sent. A later error closes the connection, so that a partial
 * response does not look complete.
 */
export async function sendLines(request: Request, response: Response, lines: Lines): Promise<void> {
  const first = await lines.next();
  response.status(200).setHeader('Content-Type', NDJSON);
  if (first.done === true || request.method === 'HEAD') {
    await lines.return();
    response.end();
    return;
  }
  async function* all(): AsyncGenerator<string, void> {
    try {
      for (let next = first; next.done !== true; next = await lines.next()) yield next.value;
    } finally {
      await lines.return();
    }
  }
  try {
    await pipeline(all, response);
  } catch (error) {
    // The caller has disconnected, which the request log records.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
