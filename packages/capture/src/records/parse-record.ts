import type { z } from 'zod';
import { type InexactNumber, inexactNumberMessage } from './exact-numbers.ts';
import { isKnown, knownFields, type KnownFields, unknownFields } from './known-fields.ts';
import { excesses } from './limits.ts';
import { nearestName } from './nearest.ts';
import { type FieldError, RecordError } from './record-error.ts';
import { type CaptureRecord, captureRecord, KINDS } from './record.ts';

/** How records are parsed. */
export interface ParseOptions {
  /** Whether fields that no record of the kind has are ignored; otherwise they are errors. */
  lenient: boolean;
}

/** Maximum number of errors that are reported of one record: a list can have thousands of faulty items. */
const MAX_ERRORS = 100;

/** Maximum length of the path of a field in an error: the names in free-form JSON can be long. */
const MAX_PATH = 200;

/** The fields whose numbers are rounded. */
const ROUNDED: readonly unknown[] = ['segments'];

const KNOWN_FIELDS: ReadonlyMap<unknown, KnownFields> = new Map(
  Object.entries(KINDS).map(([kind, { schema }]) => [kind, knownFields(schema) as KnownFields]),
);

/**
 * Parses one record.
 *
 * @param value the record as JSON.parse returns it.
 * @param line its line number or position, for the error.
 * @param inexact the numbers in it that JSON.parse has changed.
 * @throws RecordError with everything that is wrong with the record, up to 100 errors.
 */
export function parseRecord(
  value: unknown,
  line: number,
  { lenient }: ParseOptions,
  inexact: Iterable<InexactNumber> = [],
): CaptureRecord {
  const known = KNOWN_FIELDS.get((value as { record?: unknown } | null)?.record);
  if (typeof value !== 'object' || value === null || known === undefined) throw notARecord(value, line);
  const unknown = lenient ? [] : upTo(MAX_ERRORS, unknownFields(value, known));
  const changed = upTo(MAX_ERRORS, changedNumbers(inexact, known));
  const result = parse(value);
  if ('record' in result && unknown.length === 0 && changed.length === 0) return result.record;
  const changedFields = new Set(changed.map(({ field }) => field));
  const issues = 'record' in result ? [] : result.errors.filter(({ field }) => !changedFields.has(field));
  const errors = [...unknown, ...changed, ...issues, ...excesses(value as CaptureRecord)].slice(
    0,
    MAX_ERRORS,
  );
  const [first, ...others] = errors as [FieldError, ...FieldError[]];
  throw new RecordError(line, first.field, first.message, others);
}

function parse(value: object): { record: CaptureRecord } | { errors: FieldError[] } {
  try {
    const { data, error } = captureRecord.safeParse(value);
    return error === undefined ? { record: data } : { errors: error.issues.map(errorOf) };
  } catch (error) {
    // zod passes what is wrong with the items of a list as arguments, and hundreds of thousands do not fit on the stack.
    if (error instanceof RangeError) return { errors: [{ field: '', message: 'has too many errors' }] };
    throw error;
  }
}

function errorOf({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>): FieldError {
  return { field: path.join('.').slice(0, MAX_PATH).toWellFormed(), message };
}

/** Finds the numbers that were changed in known fields. Those of other fields are errors, or ignored, with them. */
function* changedNumbers(inexact: Iterable<InexactNumber>, known: KnownFields): Generator<FieldError, void> {
  for (const { path, written } of inexact) {
    const isRounded = ROUNDED.includes(path[0]);
    if (!isRounded && isKnown(path, known)) yield errorOf({ path, message: inexactNumberMessage(written) });
  }
}

function upTo<T>(count: number, items: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const item of items) {
    if (taken.push(item) === count) break;
  }
  return taken;
}

function notARecord(value: unknown, line: number): RecordError {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new RecordError(line, '', 'expected a JSON object');
  }
  const { record } = value as { record?: unknown };
  const kinds = [...KNOWN_FIELDS.keys()] as string[];
  const nearest = typeof record === 'string' ? nearestName(record, kinds) : undefined;
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return new RecordError(line, 'record', `expected one of ${kinds.join(', ')}${hint}`);
}
