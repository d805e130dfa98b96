import { addAbortSignal, type Readable } from 'node:stream';

/** More than this of a response is not read; the connection is closed instead. */
const MOST_BODY_BYTES = 64 * 1024;
const EXCERPT_BYTES = 1024;

/**
 * Reads a response body for the attempt log: at most 64 KiB of it, until `signal` aborts. A body that is cut short,
 * endless or broken is no error: the status line has already decided what the attempt came to.
 *
 * @returns the first 1 KiB as text that PostgreSQL can store.
 */
export async function readExcerpt(body: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop destroys the stream, and with it the connection, unless the body was read to its end.
    for await (const chunk of addAbortSignal(signal, body) as AsyncIterable<Buffer>) {
      if (bytes < EXCERPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MOST_BODY_BYTES) break;
    }
  } catch {
    // What has arrived so far is the excerpt.
  }
  return toExcerpt(Buffer.concat(chunks));
}

/** The first 1 KiB as text: whole characters only, with U+FFFD in place of NUL and of bytes that are not UTF-8. */
export function toExcerpt(body: Buffer): string {
  const isCut = body.length > EXCERPT_BYTES;
  // In stream mode the decoder keeps a character that the cut has split to itself, instead of calling it invalid.
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES), { stream: isCut });
  return text.replaceAll('\0', '\uFFFD');
}
