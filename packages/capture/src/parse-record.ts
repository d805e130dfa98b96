import type { z } from 'zod';
import { knownFields, type KnownFields, unknownFields } from './known-fields.ts';
import { excesses } from './limits.ts';
import { nearestName } from './nearest.ts';
import { type FieldError, RecordError } from './record-error.ts';
import { type CaptureRecord, captureRecord } from './record.ts';

/** How records are parsed. */
export interface ParseOptions {
  /** Whether fields that no record of the kind has are ignored; otherwise they are errors. */
  lenient: boolean;
}

/** Maximum number of errors that are reported of one record: a list can have thousands of faulty items. */
const MAX_ERRORS = 100;

const KNOWN_FIELDS: ReadonlyMap<unknown, KnownFields> = new Map(
  captureRecord.options.map((schema) => [schema.shape.record.value, knownFields(schema) as KnownFields]),
);

/**
 * Parses one record.
 *
 * @param value the record as JSON.parse returns it.
 * @param line its line number or position, for the error.
 * @throws RecordError with everything that is wrong with the record, up to 100 errors.
 */
export function parseRecord(value: unknown, line: number, { lenient }: ParseOptions): CaptureRecord {
  const known = KNOWN_FIELDS.get((value as { record?: unknown } | null)?.record);
  if (typeof value !== 'object' || value === null || known === undefined) throw notARecord(value, line);
  try {
    const unknown = lenient ? [] : unknownFields(value, known);
    const result = captureRecord.safeParse(value);
    if (result.success && unknown.length === 0) return result.data;
    const issues = result.error?.issues.map(errorOf) ?? [];
    const errors = [...unknown, ...issues, ...excesses(value as CaptureRecord)].slice(0, MAX_ERRORS);
    const [first, ...others] = errors as [FieldError, ...FieldError[]];
    throw new RecordError(line, first.field, first.message, others);
  } catch (error) {
    // JSON that is nested thousands of levels deep exhausts the stack of whatever walks it.
    if (error instanceof RangeError) throw new RecordError(line, '', 'nested too deeply');
    throw error;
  }
}

function errorOf({ path, message }: z.core.$ZodIssue): FieldError {
  return { field: path.join('.'), message };
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
