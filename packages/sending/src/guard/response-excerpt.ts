import { addAbortSignal, type Readable } from 'node:stream';

/** Maximum number of bytes to read of a body. The connection is closed after that. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Maximum number of bytes to keep of a body. */
export const EXCERPT_BYTES = 1024;

/**
 * Reads a response body for the attempt log: at most 64 KiB, and until `signal` aborts. An incomplete, endless or broken body is
 * not an error, because the status has already decided the outcome of the attempt.
 *
 * @returns the first KiB as text that PostgreSQL can store.
 */
export async function readExcerpt(body: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop before the end of the body destroys the stream, and with it the connection.
    for await (const chunk of addAbortSignal(signal, body) as AsyncIterable<Buffer>) {
      if (bytes < EXCERPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_BODY_BYTES) break;
    }
  } catch {
    // Keeps the bytes that have arrived so far.
  }
  return toExcerpt(Buffer.concat(chunks));
}

/** Decodes the first KiB: whole characters only, with U+FFFD in place of NUL and of bytes that are not UTF-8. */
export function toExcerpt(body: Buffer): string {
  const isCut = body.length > EXCERPT_BYTES;
  // In stream mode, the decoder omits a character that was cut in half instead of treating it as invalid.
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES), { stream: isCut });
  return text.replaceAll('\0', '\uFFFD');
}
