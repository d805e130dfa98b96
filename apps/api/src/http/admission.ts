import { describeError } from '@deal-signals/runtime/logger';
import type { Request, Response } from 'express';
import { type AuthenticatedKey, authenticateKey } from '../auth/api-key.ts';
import { createLookUps, type LookUps } from '../auth/look-ups.ts';
import { callerAddress, requireNetwork } from '../auth/networks.ts';
import { type AuthenticatedSession, authenticateSession, requirePermission } from '../auth/session.ts';
import type { Admin } from '../routes/management-transaction.ts';
import { recordRefusal } from '../routes/refused-request.ts';
import { ApiError, requireFeature } from './errors.ts';
import { countForUser, countForWorkspace, type ManagementLimits } from './limits/management-limit.ts';
import { type Caller, Places } from './limits/places.ts';
import { countRequest, type RateLimit } from './limits/rate-limit.ts';
import { note, requestIdsOf } from './request-log.ts';
import type { Context, Route } from './route.ts';

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
  /** For whom places are taken. */
  caller: Caller;
}

/** Creates what admits the requests of this process. */
export function createAdmission(limits: Limits, { settings, metrics }: Context): Admission {
  const places = new Places(settings.places);
  metrics.watchWaiting(() => places.waiting);
  return { ...limits, places, keys: createLookUps(places), sessions: createLookUps(places) };
}

/** The header that a request is authenticated with; empty if there is none. */
export function credentialOf(request: Request): string {
  return request.get('authorization') ?? '';
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
  const credential = credentialOf(request);
  return places.check(credential, response, async () => {
    const key = await keys(credential, response, () => authenticateKey(db, logger, credential));
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

/**
 * Checks the session of a request, counts the request, and checks that the session may use the operation. Refusals for want of a
 * permission are recorded.
 *
 * @throws ApiError if the session is not valid, has exceeded a limit, or must not use the operation.
 */
export function admitSession(
  operation: Extract<Route, { access: 'session' }>,
  request: Request,
  response: Response,
  { management, places, sessions }: Admission,
  { db, logger, settings }: Context,
): Promise<Admin> {
  const credential = credentialOf(request);
  return places.check(credential, response, async () => {
    const session = await sessions(credential, response, () =>
      authenticateSession(db, settings.sessions, credential),
    );
    const companyId = session.company.id;
    note(response, { companyId, userId: session.userId });
    const ofUser = await countForUser(management, session, response);
    const admin: Admin = {
      companyId,
      session,
      ...requestIdsOf(response),
      ipAddress: callerAddress(request),
      inTurn: (write) => places.holdToWrite({ companyId }, response, write),
    };
    try {
      if (!operation.isForAnySession) requirePermission(session);
      await countForWorkspace(management, session, ofUser, response);
      if (!operation.isForAnySession) requireFeature(session.company);
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.status === 403) {
        // If it cannot be recorded, the caller gets the same response.
        await recordRefusal(db, admin, operation.operationId, refusal.code).catch((error: unknown) =>
          logger.warn('could not record a refused request', {
            requestId: admin.requestId,
            ...describeError(error),
          }),
        );
      }
      throw refusal;
    }
    return admin;
  });
}
