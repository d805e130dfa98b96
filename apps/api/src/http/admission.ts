import type { Request, Response } from 'express';
import { type AuthenticatedKey, authenticateKey } from '../auth/api-key.ts';
import { createLookUps, type LookUps } from '../auth/look-ups.ts';
import { callerAddress, requireNetwork } from '../auth/networks.ts';
import type { AuthenticatedSession } from '../auth/session.ts';
import { requireFeature } from './errors.ts';
import type { ManagementLimits } from './management-limit.ts';
import { type Caller, createPlaces, type Places } from './places.ts';
import { countRequest, type RateLimit } from './rate-limit.ts';
import { note } from './request-log.ts';
import type { Context } from './route.ts';

/** What counts the requests of each credential. */
export interface Limits {
  perKey: RateLimit;
  management: ManagementLimits;
}

/** What decides whether and when a request is handled. One for the process, so that all routers share the limits. */
export interface Admission extends Limits {
  places: Places;
  keys: LookUps<AuthenticatedKey>;
  sessions: LookUps<AuthenticatedSession>;
}

/** A request whose API key is valid and within its limits. */
export interface AdmittedKey {
  key: AuthenticatedKey;
  /** For whom `Places.hold` keeps a place. */
  caller: Caller;
}

/** Creates what admits the requests of this process. */
export function createAdmission(limits: Limits, { settings, metrics }: Context): Admission {
  const places = createPlaces(settings.places);
  metrics.watchWaiting(() => places.waiting());
  return {
    ...limits,
    places,
    keys: createLookUps(settings.places.workspace),
    sessions: createLookUps(settings.places.workspace),
  };
}

/**
 * Checks the API key of a request, counts the request, and checks that the API is enabled for the workspace.
 *
 * @param requireMore checks what else the key must have. It runs last, while few requests of the key are being checked.
 * @throws ApiError if the key is not valid, must not be used from the caller's network, has exceeded its limit, or belongs to a
 *   workspace without the API; and whatever `requireMore` throws.
 */
export function admitKey(
  request: Request,
  response: Response,
  { perKey, places, keys }: Admission,
  { db, logger }: Context,
  requireMore: (key: AuthenticatedKey) => void = () => {},
): Promise<AdmittedKey> {
  const authorization = request.get('authorization') ?? '';
  return places.admit(authorization, response, async () => {
    const key = await keys(authorization, () => authenticateKey(db, logger, authorization));
    note(response, { companyId: key.company.id, keyId: key.id, keyPrefix: key.prefix });
    // Before the request is counted, so that somebody with a stolen key cannot use up its limit from elsewhere.
    requireNetwork(key.allowedNetworks, callerAddress(request));
    // Counted by hash, because another database that shares this Redis may have a different key with the same id.
    const keyHash = key.hash.toString('base64url');
    await countRequest(perKey, keyHash, response);
    requireFeature(key.company);
    requireMore(key);
    return { key, caller: { companyId: key.company.id, keyHash } };
  });
}
