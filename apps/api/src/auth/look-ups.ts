import { hash } from 'node:crypto';
import { createGroups } from '@deal-signals/runtime/groups';
import type { Response } from 'express';
import type { Places } from '../http/limits/places.ts';

/**
 * Looks up a credential in the database.
 *
 * @param authorization the header that was sent, on which alone the result depends.
 * @throws whatever the look-up throws; ApiError RATE_LIMITED if too many unknown credentials are being looked up.
 */
export type LookUps<T> = (authorization: string, response: Response, lookUp: () => Promise<T>) => Promise<T>;

/** How many credentials are remembered as known, so that a flood of unknown ones cannot delay them. */
const MOST_KNOWN = 10_000;

/**
 * Creates the look-ups of one kind of credential.
 *
 * Many requests with one credential cost one connection: those that come during a look-up share the next one, which saves a fifth
 * of the CPU time of a small response to one of eight callers. Each look-up begins after its request arrived, so a key that was
 * revoked before is refused; no result is kept. Credentials that were valid when they were last looked up come first: the
 * others share a few connections, so that somebody who tries invalid keys cannot take the pool.
 */
export function createLookUps<T>(places: Pick<Places, 'holdUnknown'>): LookUps<T> {
  /** Digests of credentials; the one that was used last is the last. */
  const known = new Set<string>();

  async function lookUpOnce([first]: LookUp<T>[], authorization: string): Promise<T> {
    const { response, lookUp } = first!;
    const digest = hash('sha256', authorization, 'base64');
    const found = await (known.delete(digest) ? lookUp() : places.holdUnknown(response, lookUp));
    known.add(digest);
    const [oldest] = known;
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return found;
  }

  const groups = createGroups<LookUp<T>, T>(async (lookUps, authorization) => {
    const found = await lookUpOnce(lookUps, authorization);
    return lookUps.map(() => found);
  });
  return (authorization, response, lookUp) => groups.add(authorization, { response, lookUp });
}

interface LookUp<T> {
  response: Response;
  lookUp: () => Promise<T>;
}
