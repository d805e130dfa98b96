import { z } from 'zod';

/** The first moment whose ISO form has a four-digit year that PostgreSQL also knows. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Text that can be stored and given back unchanged. */
export const text = z
  .string()
  .refine(isStorable, 'Invalid text: NUL and unpaired surrogates cannot be stored');

/** Text that names something. */
export const nonEmptyText = text.refine(
  (value) => value.trim() !== '',
  'Invalid text: expected at least one character',
);

/** An e-mail address. */
export const email = z.email().and(text);

/** A UUID, in lower case as PostgreSQL gives it back. */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 'Invalid UUID')
  .transform((value) => value.toLowerCase());

/** A date-time with `Z` or an offset, or a bare date, which means midnight UTC. */
export const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'Invalid date-time: expected ISO 8601 with Z or an offset, or YYYY-MM-DD',
  })
  .transform((value) => new Date(value))
  .refine(
    (value) => value.getTime() >= EARLIEST && value.getTime() <= LATEST,
    'Invalid date-time: year out of range',
  );

/** A calendar date. */
export const calendarDate = z.iso
  .date()
  .transform((value) => new Date(value))
  .refine((value) => value.getTime() >= EARLIEST, 'Invalid date: year out of range');

/** A whole number of seconds or a count, within PostgreSQL's integer. */
export const count = z.int().nonnegative().max(2_147_483_647);

/** A workspace or user id. */
export const integerId = z.int().positive().max(2_147_483_647);

/** A JSON object whose every text, keys included, can be stored. */
export const jsonObject = z.record(z.string(), z.json()).refine(isStorableJson, {
  message: 'Invalid object: NUL and unpaired surrogates cannot be stored',
});

/** Whether PostgreSQL can store every text in a parsed JSON value. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}
