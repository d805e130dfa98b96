import { beforeEach } from '@jest/globals';

/** The maximum difference between the clock of the database server and that of this machine. */
const CLOCK_SKEW_MS = 5_000;

let startedAtMs = Date.now();

beforeEach(() => {
  startedAtMs = Date.now();
});

/** Returns whether a moment lies within the running test, however long the test takes on a busy machine. */
export function isWithinTest(moment: Date | string | null): boolean {
  if (moment === null) return false;
  const ms = new Date(moment).getTime();
  return ms >= startedAtMs - CLOCK_SKEW_MS && ms <= Date.now() + CLOCK_SKEW_MS;
}
