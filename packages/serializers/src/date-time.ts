import { z } from 'zod';

/** A date-time as every object carries it: ISO 8601, UTC, milliseconds. */
export const dateTime = z.iso.datetime({ precision: 3 }).meta({
  id: 'DateTime',
  description: 'ISO 8601, UTC, with milliseconds',
  example: '2026-09-01T12:00:00.000Z',
});

/** A calendar date without a time zone. */
export const calendarDate = z.iso.date().meta({ description: 'Calendar date', example: '2026-12-18' });

/** The first and the last moment that have a four-digit year in ISO 8601 and in PostgreSQL. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A date-time as it may be written by whoever sends one: ISO 8601 with `Z` or an offset, or a bare date, which means
 * midnight UTC. What is finer than a millisecond is cut off.
 */
export const dateTimeInput = z
  .union([z.iso.datetime({ offset: true }).meta({ override: { pattern: undefined } }), z.iso.date()], {
    error: 'must be an ISO 8601 date-time with Z or an offset, or a date as YYYY-MM-DD',
  })
  .transform((value) => new Date(value))
  .refine((value) => value.getTime() >= EARLIEST_MS && value.getTime() <= LATEST_MS, {
    error: 'must lie in the years 0001 to 9999',
  });

/** The text of an optional moment. */
export function dateTimeOrNull(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}

/** The text of an optional calendar date, which the database driver hands over as midnight UTC. */
export function calendarDateOrNull(value: Date | null): string | null {
  return value === null ? null : value.toISOString().slice(0, 10);
}
