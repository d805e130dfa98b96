import { addAbortSignal, type Readable } from 'node:stream';
import type { CustomHeader } from '../headers/custom-headers.ts';
import { maskHeaderValues } from '../headers/header-masks.ts';

/** Maximum number of bytes to read of a body. After that, the connection is closed. */
export const MOST_BODY_BYTES = 64 * 1024;
/** How much of a body is kept. */
export const EXCERPT_BYTES = 1024;
/** A value that begins in the excerpt is recognised by what follows. */
const RECOGNISED_BYTES = 2 * EXCERPT_BYTES;

/**
 * Reads a response body for the attempt log: at most 64 KiB, and until `signal` aborts. A body that is incomplete,
 * endless or broken is not an error, because the status has already decided the outcome of the attempt.
 *
 * @param headers what the request was sent with: their values are masked.
 * @returns the first KiB as text that PostgreSQL can store.
 */
export async function readExcerpt(
  body: Readable,
  signal: AbortSignal,
  headers: readonly CustomHeader[] = [],
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop before the end of the body destroys the stream, and with it the connection.
    for await (const chunk of addAbortSignal(signal, body) as AsyncIterable<Buffer>) {
      if (bytes < RECOGNISED_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MOST_BODY_BYTES) break;
    }
  } catch {
    // The excerpt is what has arrived so far.
  }
  return toExcerpt(Buffer.concat(chunks), headers);
}

/** Decodes the first KiB: whole characters only, with U+FFFD in place of NUL and of bytes that are not UTF-8. */
export function toExcerpt(body: Buffer, headers: readonly CustomHeader[] = []): string {
  const excerpt = decode(body, EXCERPT_BYTES);
  if (headers.length === 0) return excerpt;
  const masked = maskHeaderValues(decode(body, RECOGNISED_BYTES), headers, excerpt.length);
  // A mask may be longer than the value.
  return decode(Buffer.from(masked), EXCERPT_BYTES);
}

function decode(body: Buffer, bytes: number): string {
  const isCut = body.length > bytes;
  // In stream mode, the decoder omits a character that was cut in half instead of treating it as invalid.
  const text = new TextDecoder().decode(body.subarray(0, bytes), { stream: isCut });
  return text.replaceAll('\0', '\uFFFD');
}
