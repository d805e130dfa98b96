import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';

/**
 * How long a statement of a migration waits for a lock. Whatever needs the same table queues up behind it meanwhile, so this
 * is the longest that a waiting migration can hold up a request.
 */
export const STATEMENT_LOCK_TIMEOUT_MS = 1_000;
/** What had queued up is served in the pause. It grows, because a reader that is still there after a while takes long. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** SQLSTATEs of a wait that `lock_timeout` ended, and of a deadlock that the server resolved at our expense. */
const LOCK_SQLSTATES: readonly unknown[] = ['55P03', '40P01'];

/** Whether a statement failed because of what other sessions had locked. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof DatabaseError && LOCK_SQLSTATES.includes(error.code);
}

/**
 * Repeats something for as long as it fails because of the locks of other sessions, with pauses in between.
 *
 * @param attempt must leave nothing behind, or continue where it stopped, when it fails because of a lock.
 * @param patienceMs how long to try.
 * @param onPause called before each pause.
 * @throws the error of the last attempt.
 */
export async function retryLocks(
  attempt: () => Promise<void>,
  patienceMs: number,
  onPause: (pauseMs: number) => void,
): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isLockFailure(error) || performance.now() + pauseMs > endMs) throw error;
    }
    onPause(pauseMs);
    await sleep(pauseMs);
  }
}
