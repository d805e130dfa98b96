/** A line of the input without its line break. */
export interface Line {
  /** Starts at 1. */
  number: number;
  /** null if the line is longer than the limit. */
  bytes: Buffer | null;
}

const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);
/** A sender may send few bytes at a time, and each part keeps the memory that it was received in. */
const MAX_PARTS = 1_000;

/**
 * Splits a stream of bytes into lines. At most one line is held between two parts of the stream. A line that is too long is
 * skipped up to its end, without holding it.
 *
 * If the stream fails, the line that was being read is dropped: it is not complete.
 *
 * @param mostBytes the longest line.
 * @returns the lines that end in each part of the stream; the last line may lack its line break.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Line[], void> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;

  function hold(part: Buffer): void {
    if (part.length === 0) return;
    length += part.length;
    if (length > mostBytes) parts = [];
    else parts.push(part);
    if (parts.length > MAX_PARTS) parts = [Buffer.concat(parts)];
  }

  function end(part: Buffer): Line {
    const isTooLong = length + part.length > mostBytes;
    const bytes = isTooLong ? null : length === 0 ? part : Buffer.concat([...parts, part]);
    parts = [];
    length = 0;
    number += 1;
    return { number, bytes };
  }

  for await (const chunk of input) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (let stop = bytes.indexOf(LINE_FEED); stop !== -1; stop = bytes.indexOf(LINE_FEED, start)) {
      lines.push(end(bytes.subarray(start, stop)));
      start = stop + 1;
    }
    hold(bytes.subarray(start));
    yield lines;
  }
  if (length > 0) yield [end(NOTHING)];
}
