import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';

/**
 * Maximum wait of a migration's statement for a lock. Other statements that need the same table queue up behind it, so this is
 * also the longest time that a waiting migration can delay a request.
 */
export const STATEMENT_LOCK_TIMEOUT_MS = 1_000;
/** The queued statements run during the pause. The pause grows, because a reader that remains after some attempts takes long. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** SQLSTATEs of a wait that `lock_timeout` ended, and of a deadlock in which the server cancelled this session. */
const LOCK_SQLSTATES: readonly unknown[] = ['55P03', '40P01'];

/** Reports whether a statement failed because of locks of other sessions. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof DatabaseError && LOCK_SQLSTATES.includes(error.code);
}

/**
 * Repeats an attempt for as long as it fails because of the locks of other sessions, with pauses in between.
 *
 * @param attempt must leave nothing behind, or continue where it stopped, when it fails because of a lock.
 * @param patienceMs how long to retry.
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
