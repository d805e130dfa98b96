import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** Nothing takes this long even on a busy machine; a test has four times as long (`jest.config.mjs`). */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Polls until the probe gives something truthy, and returns that.
 *
 * @param what what is waited for, as it shall stand in the error.
 * @param probe may throw: the last error shows up in ours.
 * @throws Error naming `what` after `timeoutMs`.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  const deadlineMs = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value as Exclude<T, false | 0 | '' | null | undefined>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadlineMs) {
      const reason = cause instanceof Error ? ` (${cause.message})` : '';
      throw new Error(`waited ${timeoutMs} ms in vain: ${what}${reason}`, { cause });
    }
    await sleep(POLL_MS);
  }
}
