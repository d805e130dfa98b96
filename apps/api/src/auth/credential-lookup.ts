import type { ConcurrencyLimiter } from '../http/limits/concurrency-limiter.ts';
import { createSingleFlight } from '../http/optimizations.ts';

/**
 * Looks up a credential in the database.
 *
 * @param digest names the credential, on which alone the result depends.
 * @throws whatever `lookUp` throws; ApiError RATE_LIMITED if too many unknown credentials are being looked up.
 */
export type CredentialLookup<T> = (digest: string, lookUp: () => Promise<T>) => Promise<T>;

/** How many credentials are remembered as known, so that a flood of unknown ones cannot delay them. */
const MAX_KNOWN = 10_000;

/**
 * Creates the look-up of one kind of credential. Requests with one credential share a single flight that begins after they arrived,
 * so a key that was revoked before is refused; no result is kept. Credentials that were valid when they were last looked up come
 * first: the others share a few connections, so that somebody who tries invalid keys cannot take the pool.
 */
export function createCredentialLookup<T>(
  limiter: Pick<ConcurrencyLimiter, 'lookUpUnverified'>,
): CredentialLookup<T> {
  /** Digests; the one that was used last is the last. */
  const known = new Set<string>();
  const fly = createSingleFlight<T>();
  return (digest, lookUp) =>
    fly(digest, async () => {
      const found = await (known.delete(digest) ? lookUp() : limiter.lookUpUnverified(lookUp));
      known.add(digest);
      const [oldest] = known;
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
      return found;
    });
}
