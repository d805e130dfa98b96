import { describeError } from '@deal-signals/runtime/logger';
import type { Request, Response } from 'express';
import { type AuthenticatedKey, authenticateKey } from '../auth/api-key.ts';
import { bearerToken } from '../auth/bearer.ts';
import { createLookUps, type LookUps } from '../auth/look-ups.ts';
import { looksLikeApiKey } from '../auth/mint-api-key.ts';
import { callerAddress, requireNetwork } from '../auth/networks.ts';
import { type AuthenticatedSession, authenticateSession, requirePermission } from '../auth/session.ts';
import { requireScope } from '../auth/scopes.ts';
import type { Manager } from '../routes/management-transaction.ts';
import { recordRefusal } from '../routes/refused-request.ts';
import { ApiError, requireFeature } from './errors.ts';
import {
  countForManager,
  countForWorkspace,
  type Counted,
  type ManagementLimits,
} from './limits/management-limit.ts';
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

/** An admin whose request is within the limits. */
export type AdmittedAdmin = Manager & { session: AuthenticatedSession };

type SessionRoute = Extract<Route, { access: 'session' }>;
type SharedRoute = Extract<Route, { access: 'session or key' }>;

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
  admission: Admission,
  context: Context,
  requireMore: (key: AuthenticatedKey) => void = () => {},
): Promise<AdmittedKey> {
  return admission.places.check(credentialOf(request), response, async () => {
    const key = await lookUpKey(request, response, admission, context);
    const keyHash = nameOf(key);
    await countRequest(admission.perKey, keyHash, response);
    requireFeature(key.company);
    requireMore(key);
    return { key, caller: { companyId: key.company.id, keyHash } };
  });
}

/** Whether a request comes with something that looks like an API key. */
export function carriesApiKey(request: Request): boolean {
  return looksLikeApiKey(bearerToken(credentialOf(request)) ?? '');
}

/**
 * Checks the session of a request, counts the request, and checks that the session may use the operation. Refusals for want of a
 * permission are recorded.
 *
 * @throws ApiError if the session is not valid, has exceeded a limit, or must not use the operation.
 */
export function admitSession(
  operation: SessionRoute | SharedRoute,
  request: Request,
  response: Response,
  admission: Admission,
  context: Context,
): Promise<AdmittedAdmin> {
  const credential = credentialOf(request);
  return admission.places.check(credential, response, async () => {
    const session = await admission.sessions(credential, response, () =>
      authenticateSession(context.db, context.settings.sessions, credential),
    );
    const { userId, company } = session;
    note(response, { companyId: company.id, userId });
    const admin = { session, key: null, ...managerOf(company.id, request, response, admission) };
    const requireRight = () => {
      if (operation.access === 'session' && operation.isForAnySession) return;
      requirePermission(session);
      requireFeature(company);
    };
    const counted = { caller: `${company.id}:${userId}`, callers: 'user', companyId: company.id } as const;
    await admit(operation, admin, counted, requireRight, response, admission, context);
    return admin;
  });
}

/**
 * Checks the API key of a request that manages something, in the same way: it is counted for the key and the workspace, and
 * refusals are recorded.
 *
 * @throws ApiError if the key is not valid, must not be used from the caller's network, has exceeded a limit, or lacks the scope.
 */
export function admitKeyToManage(
  operation: SharedRoute,
  request: Request,
  response: Response,
  admission: Admission,
  context: Context,
): Promise<Manager & { key: AuthenticatedKey }> {
  return admission.places.check(credentialOf(request), response, async () => {
    const key = await lookUpKey(request, response, admission, context);
    const { company, scopes } = key;
    const manager = { session: null, key, ...managerOf(company.id, request, response, admission) };
    const requireRight = () => {
      requireScope(scopes, operation.scope);
      requireFeature(company);
    };
    const counted = { caller: nameOf(key), callers: 'key', companyId: company.id } as const;
    await admit(operation, manager, counted, requireRight, response, admission, context);
    return manager;
  });
}

/** Counts a management request and checks that it is allowed. @throws ApiError if not. */
async function admit(
  { operationId }: Route,
  manager: Manager,
  counted: Counted,
  requireRight: () => void,
  response: Response,
  { management }: Admission,
  { db, logger }: Context,
): Promise<void> {
  const ofManager = await countForManager(management, counted, response);
  try {
    requireRight();
  } catch (refusal) {
    if (refusal instanceof ApiError) {
      // If it cannot be recorded, the caller gets the same response.
      await recordRefusal(db, manager, operationId, refusal.code).catch((error: unknown) =>
        logger.warn('could not record a refused request', {
          requestId: manager.requestId,
          ...describeError(error),
        }),
      );
    }
    throw refusal;
  }
  await countForWorkspace(management, counted, ofManager, response);
}

/** What the audit log and the writes need to know of a request. */
function managerOf(companyId: number, request: Request, response: Response, { places }: Admission) {
  return {
    companyId,
    ...requestIdsOf(response),
    ipAddress: callerAddress(request),
    inTurn: <T>(write: () => Promise<T>) => places.holdToWrite({ companyId }, response, write),
    hold: <T>(read: () => Promise<T>) => places.hold({ companyId }, response, read),
  };
}

/** The valid key of a request. It is checked before it is counted, so a stolen key cannot use up its limit from elsewhere. */
async function lookUpKey(
  request: Request,
  response: Response,
  { keys }: Admission,
  { db, logger }: Context,
): Promise<AuthenticatedKey> {
  const credential = credentialOf(request);
  const key = await keys(credential, response, () => authenticateKey(db, logger, credential));
  note(response, { companyId: key.company.id, keyId: key.id, keyPrefix: key.prefix });
  requireNetwork(key.allowedNetworks, callerAddress(request));
  return key;
}

/** Requests are counted by the hash of their key, because another database that shares this Redis may have a key with the same id. */
export function nameOf({ hash }: AuthenticatedKey): string {
  return hash.toString('base64url');
}
