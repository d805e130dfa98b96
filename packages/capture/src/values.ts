import { isStorable } from '@deal-signals/db/storable-text';
import { z } from 'zod';

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

/** A calendar date. */
export const calendarDate = z.iso
  .date()
  .transform((value) => new Date(value))
  .refine((value) => value.getUTCFullYear() > 0, 'Invalid date: expected a year from 0001');

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
