import { isUtf8 } from 'node:buffer';
import type { Entry } from '../records/entry.ts';
import { inexactNumbers } from '../records/exact-numbers.ts';
import { type ParseOptions, parseRecord } from '../records/parse-record.ts';
import { readLines, type Line } from './read-lines.ts';
import { RecordError } from '../records/record-error.ts';

/**
 * The longest line, in bytes. The largest valid record is a call summary of 256 KiB, and writing characters as `\uXXXX`
 * makes a text of any language up to three times as long.
 */
export const MAX_LINE_BYTES = 1_024 * 1_024;

const BYTE_ORDER_MARK = /^\uFEFF/;

/** A line of the input: a record, or the reason why it is none. */
export type Parsed = Entry | RecordError;

/**
 * Reads records from newline-delimited JSON, with one part of the stream and one line in memory at a time. Blank lines are
 * skipped, and the line break of the last line may be missing.
 *
 * @returns the records and the invalid lines of each part of the stream, in order.
 * @throws the errors of the stream, after the complete lines before them.
 */
export async function* readNdjson(
  input: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<Parsed[], void> {
  for await (const lines of readLines(input, MAX_LINE_BYTES)) {
    yield lines.map((line) => parseLine(line, options)).filter((parsed) => parsed !== null);
  }
}

/** Returns null for a blank line. */
function parseLine({ number, bytes }: Line, options: ParseOptions): Parsed | null {
  if (bytes === null)
    return new RecordError(number, '', `expected a line of at most ${MAX_LINE_BYTES} bytes`);
  if (!isUtf8(bytes)) return new RecordError(number, '', 'expected text in UTF-8');
  const text = bytes.toString();
  const json = number === 1 ? text.replace(BYTE_ORDER_MARK, '') : text;
  if (json.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return new RecordError(number, '', `expected a JSON object: ${(error as SyntaxError).message}`);
  }
  try {
    return { line: number, record: parseRecord(value, number, options, inexactNumbers(json)) };
  } catch (error) {
    if (error instanceof RecordError) return error;
    throw error;
  }
}
