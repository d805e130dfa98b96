/** Longer than any message that the API accepts: request bodies have at most 100 KiB. */
const MAX_LINE_BYTES = 1_024 * 1_024;
const LINE_FEED = 0x0a;
/**
 * Limits the number of parts: a writer may write a few bytes at a time, and each part keeps its whole read buffer in memory.
 */
const MAX_PARTS = 1_000;

/**
 * Splits bytes into lines, as the Model Context Protocol frames its messages: only LF ends a line. `node:readline` also breaks
 * at CR and, since Node.js 24, at U+2028 and U+2029. A message may contain all of these.
 *
 * Skips lines longer than 1 MiB without keeping them in memory.
 *
 * @returns the bytes of each line without its LF, or null for a line that is too long. The last line may lack its LF.
 */
export async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer | null, void> {
  let parts: Buffer[] = [];
  let length = 0;

  function hold(part: Buffer): void {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else parts.push(part);
    if (parts.length > MAX_PARTS) parts = [Buffer.concat(parts)];
  }

  function takeLine(): Buffer | null {
    const line = length > MAX_LINE_BYTES ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  }

  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      hold(bytes.subarray(start, end));
      yield takeLine();
      start = end + 1;
    }
    hold(bytes.subarray(start));
  }
  if (length > 0) yield takeLine();
}
