import { beforeEach } from '@jest/globals';

/** How far the clock of the database server may be from that of this machine. */
const CLOCK_SKEW_MS = 5_000;

let startedAtMs = Date.now();

beforeEach(() => {
  startedAtMs = Date.now();
});

/** Whether a moment lies within the running test, however long the test takes on a busy machine. */
export function isWithinTest(moment: Date | string | null): boolean {
  if (moment === null) return false;
  const ms = new Date(moment).getTime();
  return ms >= startedAtMs - CLOCK_SKEW_MS && ms <= Date.now() + CLOCK_SKEW_MS;
}
