import type { ConcurrencyLimiter } from '../http/limits/concurrency-limiter.ts';
import { ApiError } from '../http/errors.ts';
import { createSingleFlight } from '../http/optimizations.ts';

/**
 * Looks up a credential in the database.
 *
 * @param digest identifies the credential. The result depends on nothing else.
 * @throws the errors of `lookUp`; ApiError RATE_LIMITED if too many unknown credentials are being looked up.
 */
export type CredentialLookup<T> = (digest: string, lookUp: () => Promise<T>) => Promise<T>;

/** Maximum number of credentials that are remembered as known, so that a flood of unknown ones cannot delay them. */
const MAX_KNOWN = 10_000;

/**
 * Creates the lookup of one kind of credential. Concurrent requests with one credential share a single flight, which begins after
 * they arrived, so a key that was revoked earlier is rejected. Results are not cached. Credentials that were valid at their last
 * lookup have priority. The others share a few connections, so invalid keys cannot exhaust the pool.
 */
export function createCredentialLookup<T>(
  limiter: Pick<ConcurrencyLimiter, 'lookUpUnverified'>,
): CredentialLookup<T> {
  /** Digests, least recently used first. */
  const known = new Set<string>();
  const fly = createSingleFlight<T>();
  return (digest, lookUp) =>
    fly(digest, async () => {
      const found = await (known.has(digest) ? lookUp() : limiter.lookUpUnverified(lookUp)).catch(
        (error: unknown) => {
          // A database that is unavailable has said nothing about the credential.
          if (error instanceof ApiError) known.delete(digest);
          throw error;
        },
      );
      known.delete(digest);
      known.add(digest);
      const [oldest] = known;
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
      return found;
    });
}
