import type { IncomingMessage, ServerResponse } from 'node:http';
import { createReceive, MAX_BODY_BYTES, type ReceiverOptions } from './receive.ts';

/** A request of Express or of `node:http`. */
type BodyRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/**
 * Builds a handler for Express: `app.post('/webhooks', expressHandler({ … }))`. It is also a listener for `node:http`.
 *
 * It reads the raw body itself, so register it before `express.json()`, or keep the raw body: it also accepts a body that
 * `express.raw({ type: 'application/json' })` has read, and a `rawBody` with the bytes.
 */
export function expressHandler(
  options: ReceiverOptions,
): (request: BodyRequest, response: ServerResponse) => void {
  const receive = createReceive(options);
  const { onProblem = console.error } = options;

  async function respond(request: BodyRequest, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405, { Allow: 'POST' }).end();
      return;
    }
    const body = await readRawBody(request);
    const status = body === null ? 413 : await receive(body, request.headers);
    // After a rejected request the body may be half read, so the connection cannot be reused.
    response.writeHead(status, status === 413 ? { Connection: 'close' } : {}).end();
  }

  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      onProblem(error);
      if (!response.headersSent) response.writeHead(500, { Connection: 'close' });
      response.end();
    });
  };
}

/** Returns the bytes of the body, or null if it is too large. */
async function readRawBody(request: BodyRequest): Promise<Uint8Array | null> {
  for (const read of [request.rawBody, request.body]) {
    if (read instanceof Uint8Array) return read;
  }
  if (request.readableDidRead) {
    throw new Error(
      'the body was already parsed, and its bytes are lost: register this handler before express.json(), or use express.raw()',
    );
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroying the request would close the connection before the sender gets the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
