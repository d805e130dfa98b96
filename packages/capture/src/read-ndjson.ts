import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Entry } from './entry.ts';
import { parseRecord } from './parse-record.ts';
import { RecordError } from './record-error.ts';

/**
 * Reads records from newline-delimited JSON, with one line in memory at a time. Blank lines are skipped.
 *
 * @throws RecordError for the first line that is not JSON or not a valid record.
 */
export async function* readNdjson(input: Readable): AsyncGenerator<Entry> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const json = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (json.trim() !== '') yield { line, record: parseLine(json, line) };
  }
}

function parseLine(json: string, line: number): Entry['record'] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new RecordError(line, '', `expected a JSON object: ${(error as SyntaxError).message}`);
  }
  return parseRecord(value, line, { lenient: false });
}
