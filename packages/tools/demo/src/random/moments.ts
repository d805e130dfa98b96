import type { Random } from './random.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Adds milliseconds to a moment; a negative number gives an earlier one. */
export function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** Returns the moment a fraction (0 to 1) of the way from one moment to another. */
export function part(from: Date, to: Date, fraction: number): Date {
  return new Date(Math.round(from.getTime() + (to.getTime() - from.getTime()) * fraction));
}

/** Returns the earlier of two moments. */
export function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** Returns the calendar date of a moment in UTC. */
export function calendarDate(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Draws a moment between two others, preferably in office hours, when most work on deals happens. */
export function momentBetween(random: Random, from: Date, to: Date): Date {
  let moment = part(from, to, random.next());
  for (let attempt = 0; attempt < 12 && !inOfficeHours(moment); attempt += 1) {
    moment = part(from, to, random.next());
  }
  return moment;
}

function inOfficeHours(moment: Date): boolean {
  const day = moment.getUTCDay();
  const hour = moment.getUTCHours();
  return day !== 0 && day !== 6 && hour >= 7 && hour < 18;
}
