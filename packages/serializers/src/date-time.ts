import { z } from 'zod';

/** A date-time as every object carries it: ISO 8601, UTC, milliseconds. */
export const dateTime = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, with milliseconds', example: '2026-09-01T12:00:00.000Z' });

/** A calendar date without a time zone. */
export const calendarDate = z.iso.date().meta({ description: 'Calendar date', example: '2026-12-18' });

/** The text of an optional moment. */
export function dateTimeOrNull(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}

/** The text of an optional calendar date, which the database driver hands over as midnight UTC. */
export function calendarDateOrNull(value: Date | null): string | null {
  return value === null ? null : value.toISOString().slice(0, 10);
}
