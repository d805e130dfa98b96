import { z } from 'zod';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The waits of the contract. There is no jitter, because the contract promises exact waits. Eight attempts have seven waits
 * between them, so the last one is used only if WEBHOOK_MAX_ATTEMPTS is raised.
 */
export const CONTRACT_SCHEDULE_MS: readonly number[] = [
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
];

const LONGEST_WAIT_MS = 30 * 24 * HOUR_MS;
const MAX_WAITS = 100;
const FORM = `must be 1 to ${MAX_WAITS} waits in milliseconds, separated by commas, none above ${LONGEST_WAIT_MS}`;

/** Parses `WEBHOOK_RETRY_SCHEDULE_MS`: waits in milliseconds, separated by commas. */
export const retrySchedule = z
  .string()
  .refine((value) => parseWaits(value) !== null, FORM)
  .transform((value): readonly number[] => parseWaits(value) ?? []);

/**
 * Returns the wait before the next attempt in milliseconds, from the end of the failed one.
 *
 * If the schedule has fewer waits than there are attempts, the last wait repeats. An operator who only raises the number of
 * attempts gets a constant interval, not an error.
 *
 * @param failures the number of failed attempts so far, at least 1.
 */
export function nextWaitMs(scheduleMs: readonly number[], failures: number): number {
  const wait = scheduleMs[Math.min(failures, scheduleMs.length) - 1];
  if (wait === undefined) throw new RangeError(`no wait after ${failures} failures`);
  return wait;
}

function parseWaits(text: string): number[] | null {
  const items = text.split(',').map((item) => item.trim());
  if (items.length > MAX_WAITS || !items.every((item) => /^\d{1,10}$/.test(item))) return null;
  const waits = items.map(Number);
  return waits.every((wait) => wait <= LONGEST_WAIT_MS) ? waits : null;
}
