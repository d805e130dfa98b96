import { isStorable } from '@deal-signals/db/storable-text';
import { z } from 'zod';

/** Text that PostgreSQL can store unchanged. */
export const text = z
  .string()
  .refine(isStorable, 'Invalid text: NUL and unpaired surrogates cannot be stored');

/** Text that is not blank. */
export const nonEmptyText = text.regex(/\S/, 'Invalid text: expected at least one non-blank character');

/** The type of an engagement event. The API's filter is a list with commas, and ignores blanks around its items. */
export const eventType = nonEmptyText.regex(
  /^(?!\s)[^,]*(?<!\s)$/,
  'Invalid type: expected no comma, and no blank at the start or the end',
);

/** A UUID, converted to lower case as PostgreSQL returns it. */
export const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/, 'Invalid UUID')
  .transform((value) => value.toLowerCase());

/** A calendar date (YYYY-MM-DD), parsed as midnight UTC. */
export const calendarDate = z.iso
  .date()
  .transform((value) => new Date(value))
  .refine((value) => value.getUTCFullYear() > 0, 'Invalid date: expected a year from 0001');

const MAX_INTEGER = 2_147_483_647;

/** Returns 0 for -0, which is another number for `isDeepStrictEqual`, and the same for PostgreSQL. */
const withoutMinusZero = (value: number): number => value + 0;

/** A whole number of up to 53 bits. */
export const integer = z.int().overwrite(withoutMinusZero);

/** A count or a whole number of seconds that fits PostgreSQL's `integer`. */
export const count = z.int().nonnegative().max(MAX_INTEGER).overwrite(withoutMinusZero);

/** 31 years. Numbers of nine digits keep the body of the largest view's webhook below 512 KiB. */
const MAX_SECONDS = 999_999_999;

/** A position in a recording in seconds, kept to the millisecond. */
export const seconds = z
  .number()
  .nonnegative()
  .max(MAX_SECONDS)
  .overwrite((value) => withoutMinusZero(Math.round(value * 1_000) / 1_000));

/** A workspace or user id. */
export const integerId = z.int().positive().max(MAX_INTEGER);

/** An optional field with a default: a new row gets it if the field is left out, and every row if the field is null. */
export function withDefault<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) {
  return schema
    .nullable()
    .transform((given) => given ?? value)
    .optional()
    .meta({ default: value });
}

/** A stored JSON value: a field of its objects that is null counts as left out, so it gets its default. In it, -0 is 0. */
export function storedJson<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value: z.input<Schema>): unknown => withoutNulls(value, JSON_DEPTH), schema)
    .refine(isStorableJson, 'Invalid object: NUL and unpaired surrogates cannot be stored');
}

/** How deep the objects of stored JSON values can be: a topic of a summary is in a list of an object. */
const JSON_DEPTH = 3;

function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value === 'number') return withoutMinusZero(value);
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth - 1));
  const fields = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(fields.map(([key, item]) => [key, withoutNulls(item, depth - 1)]));
}

/** Whether PostgreSQL can store every string, keys included, in a parsed JSON value. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}
