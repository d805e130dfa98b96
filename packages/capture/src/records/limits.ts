import { isDeeperThan, MAX_JSON_DEPTH } from '@deal-signals/serializers/json-depth';
import type { Entry } from './entry.ts';
import { type FieldError, RecordError } from './record-error.ts';
import type { CaptureRecord, RecordOf } from './record.ts';

const KIB = 1_024;

/** A limit of one field: its size as text or as JSON in bytes, or the number of its items. JSON has a maximum depth, too. */
type Limit = { text: number } | { json: number } | { items: number };

/** The fields that hold objects or lists: each needs a limit. */
type JsonField<K = CaptureRecord['record']> = K extends CaptureRecord['record']
  ? {
      [F in keyof RecordOf<K> & string]-?: NonNullable<RecordOf<K>[F]> extends
        string | number | boolean | Date
        ? never
        : `${K}.${F}`;
    }[keyof RecordOf<K> & string]
  : never;

/**
 * The limit of every text field that `LIMITS` does not name. No name, title or address of a person comes near it, and
 * it keeps keys and ids below the 2.7 KB that fit into a PostgreSQL index.
 */
export const TEXT_LIMIT = KIB;

/**
 * The fields whose limit is not `TEXT_LIMIT`. Without limits, one workspace could fill the memory of the processes that
 * serve all of them. With these, a pushed engagement event stays below 64 KiB and every webhook body below 512 KiB.
 */
export const LIMITS: Readonly<Record<string, Limit>> = {
  'event.metadata': { json: 16 * KIB },
  'callSummary.summary': { json: 256 * KIB },
  'call.participants': { json: 64 * KIB },
  'call.talkTime': { json: 4 * KIB },
  'call.disqualifiedReason': { text: 16 * KIB },
  'message.text': { text: 64 * KIB },
  // One range per second for almost three hours.
  'view.segments': { items: 10_000 },
} satisfies Record<JsonField, Limit> & Record<string, Limit>;

/**
 * Checks the size of every field of a record, and its depth. It does not depend on how the record was parsed, so it also covers records
 * that were built in code.
 *
 * @throws RecordError that names the kind of record, the fields and their limits.
 */
export function requireWithinLimits({ record, line }: Entry): void {
  const [first, ...others] = excesses(record);
  if (first !== undefined) throw new RecordError(line, first.field, first.message, others);
}

/** Finds the fields of a record that are too large or too deep. The record may be invalid otherwise. */
export function excesses(record: CaptureRecord): FieldError[] {
  const errors: FieldError[] = [];
  for (const [field, value] of Object.entries(record)) {
    const limit = LIMITS[`${record.record}.${field}`] ?? { text: TEXT_LIMIT };
    if ('json' in limit && isDeeperThan(MAX_JSON_DEPTH, value)) {
      errors.push({ field, message: `nested too deeply: expected at most ${MAX_JSON_DEPTH} levels` });
      continue;
    }
    const problem = excess(limit, value);
    if (problem !== null) {
      errors.push({ field, message: `too large for a record of kind ${record.record}: ${problem}` });
    }
  }
  return errors;
}

function excess(limit: Limit, value: unknown): string | null {
  if ('items' in limit) {
    const items = Array.isArray(value) ? value.length : 0;
    return items > limit.items ? `expected at most ${limit.items} items, got ${items}` : null;
  }
  if ('json' in limit) {
    const size = value == null ? 0 : jsonBytes(value);
    return size > limit.json ? `expected at most ${limit.json} bytes of JSON, got ${size}` : null;
  }
  const size = typeof value === 'string' ? Buffer.byteLength(value) : 0;
  return size > limit.text ? `expected at most ${limit.text} bytes, got ${size}` : null;
}

/**
 * The size of a value as compact JSON, in bytes, with numbers written in full. PostgreSQL stores 1e300 as a one and 300
 * zeros, and returns it like that to every reader.
 */
function jsonBytes(value: unknown): number {
  const json = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'number' ? inFull(item) : item,
  );
  return Buffer.byteLength(json);
}

function inFull(number: number): number | string {
  const exponent = /e([+-]\d+)$/.exec(String(number))?.[1];
  return exponent === undefined ? number : '0'.repeat(Math.abs(Number(exponent)));
}
