import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../http/errors.ts';

/** How often keys are fetched again while all tokens name known ones, so that a withdrawn key is noticed. */
const REFRESH_MS = 5 * 60_000;
/** The age from which tokens wait for that: nothing came in the meantime, and a key may have been withdrawn since. */
const MAX_AGE_MS = 10 * 60_000;
/** How often a token that names an unknown key may lead to a request. Anybody can invent such tokens. */
const UNKNOWN_KEY_MS = 60_000;
/** How often keys are fetched until there are any. */
const FIRST_RETRY_MS = 5_000;

/**
 * Finds the keys of a set that an issuer publishes. The set is fetched when it is first needed, every five minutes, and for a token
 * that names an unknown key, at most once a minute. While the issuer is unavailable, the known keys remain valid.
 *
 * @param fetchKeys fetches the set.
 * @param onFetched is called after each attempt to fetch it.
 * @returns a function that finds the key of a token. It throws ApiError SERVICE_UNAVAILABLE if that key may exist but could not be
 *   fetched.
 */
export function createPublishedKeys(
  fetchKeys: () => Promise<JSONWebKeySet>,
  logger: Logger,
  onFetched: (isAvailable: boolean) => void,
): JWTVerifyGetKey {
  let known: ReturnType<typeof createLocalJWKSet> | null = null;
  let failure: unknown = null;
  let triedAt = -Infinity;
  let fetching: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    try {
      known = createLocalJWKSet(await fetchKeys());
      failure = null;
    } catch (error) {
      failure = error;
      logger.warn('could not fetch the keys that verify tokens', describeError(error));
    }
    onFetched(failure === null);
    triedAt = performance.now();
    fetching = null;
  }

  /** Fetches the keys if the last attempt is that long ago. Callers share an attempt that is under way. */
  async function refreshAfter(waitMs: number): Promise<boolean> {
    if (fetching === null && performance.now() - triedAt < waitMs) return false;
    await (fetching ??= refresh());
    return true;
  }

  function unavailable(waitMs: number): ApiError {
    const seconds = Math.max(1, Math.ceil((triedAt + waitMs - performance.now()) / 1_000));
    return new ApiError('SERVICE_UNAVAILABLE', 'the issuer of the token is unavailable; try again later', {
      headers: { 'Retry-After': String(seconds) },
      cause: failure,
    });
  }

  return async (header, token) => {
    if (known === null) await refreshAfter(FIRST_RETRY_MS);
    else {
      const isTooOld = performance.now() - triedAt >= MAX_AGE_MS;
      const refreshed = refreshAfter(REFRESH_MS);
      if (isTooOld) await refreshed;
    }
    if (known === null) throw unavailable(FIRST_RETRY_MS);
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (!(await refreshAfter(UNKNOWN_KEY_MS)) && failure === null) throw error;
    }
    if (failure !== null) throw unavailable(UNKNOWN_KEY_MS);
    return known(header, token);
  };
}
