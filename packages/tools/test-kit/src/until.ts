import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** No wait takes this long, even on a busy machine. A test may take four times as long (`jest.config.mjs`). */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Polls until the probe returns a truthy value, and returns that value.
 *
 * @param what describes the awaited state, for the error message.
 * @param probe may throw. The error message includes the last error.
 * @throws Error that names `what`, after `timeoutMs`.
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
      throw new Error(`timed out after ${timeoutMs} ms waiting for: ${what}${reason}`, { cause });
    }
    await sleep(POLL_MS);
  }
}
