import { hash } from 'node:crypto';
import { createSharedReads } from '@deal-signals/runtime/shared-reads';
import { createTurns, NoTurnError } from '@deal-signals/runtime/turns';
import { ApiError } from '../http/errors.ts';

/**
 * Looks up a credential in the database.
 *
 * @param authorization the header that was sent, on which alone the result depends.
 * @throws whatever the look-up throws; ApiError RATE_LIMITED if too many unknown credentials are being looked up.
 */
export type LookUps<T> = (authorization: string, lookUp: () => Promise<T>) => Promise<T>;

/** How many credentials are remembered as known, so that a flood of unknown ones cannot delay them. */
const MOST_KNOWN = 10_000;
const MOST_WAITING = 1_000;
/** As long as a statement waits for a connection of the pool. */
const MAX_WAIT_MS = 5_000;

/**
 * Creates the look-ups of one kind of credential.
 *
 * Many requests with one credential cost one connection. Each look-up begins after its request arrived, so a key that was
 * revoked before is refused; no result is kept. Credentials that were valid when they were last looked up come first: the
 * others share a few connections, so that somebody who tries invalid keys cannot take the pool.
 *
 * @param unknownAtOnce how many unknown credentials are looked up at the same time.
 */
export function createLookUps<T>(unknownAtOnce: number): LookUps<T> {
  const shared = createSharedReads<T>();
  const turns = createTurns({ atOnce: unknownAtOnce, mostWaiting: MOST_WAITING });
  /** Digests of credentials; the one that was used last is the last. */
  const known = new Set<string>();

  async function inTurn(lookUp: () => Promise<T>): Promise<T> {
    const end = await turns.take('', AbortSignal.timeout(MAX_WAIT_MS)).catch((error: unknown) => {
      throw error instanceof NoTurnError ? crowded() : error;
    });
    return lookUp().finally(end);
  }

  return (authorization, lookUp) =>
    shared(authorization, async () => {
      const digest = hash('sha256', authorization, 'base64');
      const found = await (known.delete(digest) ? lookUp() : inTurn(lookUp));
      known.add(digest);
      const [oldest] = known;
      if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
      return found;
    });
}

function crowded(): ApiError {
  return new ApiError('RATE_LIMITED', 'too many unknown credentials are being checked; try again shortly', {
    headers: { 'Retry-After': '1' },
  });
}
