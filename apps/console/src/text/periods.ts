/** A time that ends now. */
export type Period = 'hour' | 'day' | 'yesterday' | 'week' | 'month';

/** What the periods are called in a choice. */
export const PERIOD_NAMES: Record<Period, string> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  yesterday: 'Since yesterday',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

const HOUR_MS = 3_600_000;
const LENGTHS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS };

/** Every period, from the shortest on. */
export const PERIODS = Object.keys(PERIOD_NAMES) as Period[];

/** Whether a value of an address is a period. */
export function isPeriod(value: unknown): value is Period {
  return typeof value === 'string' && Object.hasOwn(PERIOD_NAMES, value);
}

/** When a period began that ends at a given moment. Yesterday began at midnight in the time zone of the reader. */
export function sinceOf(period: Period, now: Date): Date {
  if (period !== 'yesterday') return new Date(now.getTime() - LENGTHS_MS[period]);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
}
