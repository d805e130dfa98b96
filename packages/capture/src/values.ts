import { isStorable } from '@deal-signals/db/storable-text';
import { z } from 'zod';

/** Text that PostgreSQL can store unchanged. */
export const text = z
  .string()
  .refine(isStorable, 'Invalid text: NUL and unpaired surrogates cannot be stored');

/** Text that is not blank. */
export const nonEmptyText = text.refine(
  (value) => value.trim() !== '',
  'Invalid text: expected at least one non-blank character',
);

/** An email address. */
export const email = z.email().and(text);

/** A UUID, converted to lower case as PostgreSQL returns it. */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 'Invalid UUID')
  .transform((value) => value.toLowerCase());

/** A calendar date (YYYY-MM-DD), parsed as midnight UTC. */
export const calendarDate = z.iso
  .date()
  .transform((value) => new Date(value))
  .refine((value) => value.getUTCFullYear() > 0, 'Invalid date: expected a year from 0001');

/** A count or a whole number of seconds that fits PostgreSQL's `integer`. */
export const count = z.int().nonnegative().max(2_147_483_647);

/** A workspace or user id. */
export const integerId = z.int().positive().max(2_147_483_647);

/** A JSON object in which every string, keys included, can be stored. */
export const jsonObject = z.record(z.string(), z.json()).refine(isStorableJson, {
  message: 'Invalid object: NUL and unpaired surrogates cannot be stored',
});

/** Whether PostgreSQL can store every string, keys included, in a parsed JSON value. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}
