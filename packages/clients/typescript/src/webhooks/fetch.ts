import { createReceive, MAX_BODY_BYTES, type ReceiverOptions } from './receive.ts';

/**
 * Builds a handler for runtimes that pass a `Request` and expect a `Response`, such as Deno, Bun, Cloudflare Workers and the
 * route handlers of Next.js.
 */
export function fetchHandler(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = createReceive(options);
  return async (request) => {
    if (request.method !== 'POST') {
      return new Response(null, { status: 405, headers: { Allow: 'POST' } });
    }
    const body = await readBody(request.body);
    return new Response(null, { status: body === null ? 413 : await receive(body, request.headers) });
  };
}

/** Reads a body, or returns null if it is too large. */
async function readBody(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = stream?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    bytes += value.length;
    if (bytes > MAX_BODY_BYTES) {
      await reader?.cancel();
      return null;
    }
    chunks.push(value);
  }
  const body = new Uint8Array(bytes);
  let position = 0;
  for (const chunk of chunks) {
    body.set(chunk, position);
    position += chunk.length;
  }
  return body;
}
