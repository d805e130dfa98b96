import { z } from 'zod';

/** A date-time in a response or a webhook payload: ISO 8601, UTC, with milliseconds. */
export const dateTime = z.iso.datetime({ precision: 3 }).meta({
  id: 'DateTime',
  description: 'ISO 8601, UTC, with milliseconds',
  example: '2026-09-01T12:00:00.000Z',
});

/** A calendar date without a time zone. */
export const calendarDate = z.iso.date().meta({ description: 'Calendar date', example: '2026-12-18' });

/** The first and the last millisecond of the four-digit years, which ISO 8601 and PostgreSQL write the same way. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A valid date. JavaScript has a year 0000, PostgreSQL does not. */
const DATE = z.core.regexes.date.source
  .slice(1, -1)
  .replace('[02468][048]00', '(?:0[48]|[2468][048])00')
  .replace('\\d{4}-', '(?:\\d{3}[1-9]|\\d\\d[1-9]0|\\d[1-9]00|[1-9]000)-');
const HOUR = '(?:[01]\\d|2[0-3])';
const MINUTE = '[0-5]\\d';

/**
 * A date, or a date-time. ISO 8601 allows more forms of it than the format `date-time` of JSON Schema (RFC 3339): without
 * seconds, and with offsets such as `+0200` and `+02`.
 */
const ISO_DATE_OR_TIME = new RegExp(
  `^${DATE}(?:T${HOUR}:${MINUTE}(?::${MINUTE}(?:\\.\\d+)?)?(?:Z|[+-]${HOUR}(?::?${MINUTE})?))?$`,
);
const FORMS = 'must be an ISO 8601 date-time with Z or an offset, or a date in the form YYYY-MM-DD';

/** An offset without a colon, with or without minutes. A time precedes it, so it is not the end of a date. */
const BASIC_OFFSET = /(?<=T.*[+-]\d\d)(\d\d)?$/;

/**
 * A date-time in a request or a captured record: ISO 8601 with `Z` or an offset, with or without seconds, or a bare date,
 * which means midnight UTC. Parses to a `Date`; digits beyond milliseconds are dropped.
 */
export const dateTimeInput = z
  // A single pattern, because client generators do not support a parameter with several alternatives.
  .string(FORMS)
  .regex(ISO_DATE_OR_TIME, FORMS)
  .transform((value) => new Date(value.replace(BASIC_OFFSET, (minutes) => `:${minutes || '00'}`)))
  .refine((value) => value.getTime() >= EARLIEST_MS && value.getTime() <= LATEST_MS, {
    error: 'must be between the years 0001 and 9999',
  });

/** Formats an optional time as `dateTime` describes; null stays null. */
export function dateTimeOrNull(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}

/** Formats an optional calendar date as `YYYY-MM-DD`. The database driver returns a date as midnight UTC. */
export function calendarDateOrNull(value: Date | null): string | null {
  return value === null ? null : value.toISOString().slice(0, 10);
}
