/** A period that ends now. */
export type Period = 'hour' | 'day' | 'yesterday' | 'week' | 'month';

/** The labels of the periods. */
export const PERIOD_NAMES: Record<Period, string> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  yesterday: 'Since yesterday',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

const HOUR_MS = 3_600_000;
const LENGTHS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS };

/** Every period, shortest first. */
export const PERIODS = Object.keys(PERIOD_NAMES) as Period[];

/** Whether a value of an address is a period. */
export function isPeriod(value: unknown): value is Period {
  return typeof value === 'string' && Object.hasOwn(PERIOD_NAMES, value);
}

/** Returns the start of a period that ends at a given time. Yesterday began at midnight in the time zone of the reader. */
export function periodStart(period: Period, now: Date): Date {
  if (period !== 'yesterday') return new Date(now.getTime() - LENGTHS_MS[period]);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
}
