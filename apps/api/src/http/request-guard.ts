import { describeError } from '@deal-signals/runtime/logger';
import type { Request, Response } from 'express';
import type { Scope } from '@deal-signals/serializers/management/scopes';
import { authenticateAccessToken, type AuthenticatedToken } from '../auth/access-token.ts';
import { type AuthenticatedKey, authenticateKey } from '../auth/api-key.ts';
import { type Credential, readCredential } from '../auth/credential.ts';
import { createCredentialLookup } from '../auth/credential-lookup.ts';
import { fetchIssuerKeys, fetchKeys } from '../auth/issuer-keys.ts';
import { callerAddress, requireNetwork } from '../auth/networks.ts';
import { createPublishedKeys } from '../auth/published-keys.ts';
import { type AuthenticatedSession, authenticateSession, requirePermission } from '../auth/session.ts';
import { requireScope } from '../auth/scopes.ts';
import { PUBLIC_KEY_ALGORITHMS, type TokenVerification } from '../auth/verify-token.ts';
import { ApiError, requireFeature } from './errors.ts';
import { ConcurrencyLimiter } from './limits/concurrency-limiter.ts';
import {
  countForManager,
  countForWorkspace,
  type RateLimitSubject,
  type ManagementLimits,
} from './limits/management-limit.ts';
import { ConcurrencyLimitError } from './limits/queues.ts';
import { countRequest } from './limits/rate-limit.ts';
import { RequestSlot } from './limits/request-slot.ts';
import { createSingleFlight } from './optimizations.ts';
import { recordRefusal } from './record-refusal.ts';
import { addLogFields, requestIdsOf } from './request-log.ts';
import type { Assistant, Caller, Context, ManagementRoute, Reader } from './route.ts';

/** A request that has arrived. */
export interface Incoming {
  request: Request;
  response: Response;
  credential: Credential;
  /** Whether the credential was found to be valid. */
  isVerified: boolean;
}

/** Decides which requests reach their handlers. The process has one instance, so all routers share its limits. */
export class RequestGuard {
  readonly context: Context;
  readonly #limiter: ConcurrencyLimiter;
  readonly #keys;
  readonly #sessions;
  readonly #sessionTokens: TokenVerification;
  readonly #tokens;
  readonly #accessTokens: TokenVerification | null;

  constructor(context: Context) {
    this.context = context;
    this.#limiter = new ConcurrencyLimiter(context.settings.concurrency);
    this.#keys = createCredentialLookup<AuthenticatedKey>(this.#limiter);
    // Needs no queue of unverified credentials, because a token with an invalid signature is rejected without a lookup.
    this.#sessions = createSingleFlight<AuthenticatedSession>();
    this.#tokens = createSingleFlight<AuthenticatedToken>();
    const { sessions, oauth } = context.settings;
    const published = (
      tokens: 'session' | 'access',
      fetchSet: Parameters<typeof createPublishedKeys>[0],
    ) => ({
      algorithms: PUBLIC_KEY_ALGORITHMS,
      keys: [
        createPublishedKeys(fetchSet, context.logger, (isAvailable) =>
          context.metrics.setIssuerAvailable(tokens, isAvailable),
        ),
      ],
    });
    this.#sessionTokens = {
      ...sessions,
      ...('jwksUrl' in sessions
        ? published('session', () => fetchKeys(sessions.jwksUrl))
        : { algorithms: [sessions.algorithm], keys: sessions.keys }),
    };
    this.#accessTokens = oauth && { ...oauth, ...published('access', () => fetchIssuerKeys(oauth.issuer)) };
    context.metrics.watchWaiting(() => this.#limiter.waiting);
  }

  /** Handles a request. All refusals on the way are delayed if there are many. */
  async handle(
    request: Request,
    response: Response,
    work: (incoming: Incoming) => Promise<void>,
  ): Promise<void> {
    const incoming: Incoming = {
      request,
      response,
      credential: readCredential(request),
      isVerified: false,
    };
    try {
      await work(incoming);
    } catch (error) {
      if (error instanceof ConcurrencyLimitError) addLogFields(response, { limit: error.limit });
      await this.delayRefusal(error, incoming);
      throw error;
    }
  }

  /** Delays an error if it is one of many refusals of one caller. */
  delayRefusal(
    error: unknown,
    { response, credential, isVerified }: Pick<Incoming, 'response' | 'credential' | 'isVerified'>,
  ): Promise<void> {
    const isKnown = isVerified || (error instanceof ApiError && error.isCallerKnown);
    return this.#limiter.delayRefusal(error, isKnown ? credential.digest : null, response);
  }

  /**
   * Authenticates the API key of a request, counts the request, and checks that the API is enabled for the workspace.
   *
   * @param scope the scope that the key needs; null if every key may use the route.
   * @throws ApiError if the key is not valid, must not be used from the caller's network, has exceeded its limit, lacks the
   * scope, or belongs to a workspace without the API.
   */
  async authenticateReader(scope: Scope | null, incoming: Incoming): Promise<Reader> {
    const { response, credential } = incoming;
    const key = await this.#findKey(incoming);
    await countRequest(this.context.rateLimits.perKey, credential.digest, response);
    requireFeature(key.company);
    requireScope(key.scopes, scope);
    const owner = { companyId: key.company.id, keyDigest: credential.digest };
    return { companyId: owner.companyId, key, slot: new RequestSlot(this.#limiter, owner, response) };
  }

  /**
   * Authenticates an assistant, which has an API key or, if the operator has named an issuer, an access token. Counts the request,
   * and checks that the API is enabled for the workspace.
   *
   * @throws ApiError as `authenticateReader`.
   */
  async authenticateAssistant(incoming: Incoming): Promise<Assistant> {
    const { response, credential } = incoming;
    const { db, rateLimits } = this.context;
    const verification = this.#accessTokens;
    if (verification === null || credential.isApiKey) {
      return { ...(await this.authenticateReader(null, incoming)), hasToken: false };
    }
    const token = await this.#tokens(credential.digest, () =>
      authenticateAccessToken(credential, db, verification),
    );
    incoming.isVerified = true;
    const { scopes, company, digest, clientId } = token;
    addLogFields(response, { companyId: company.id, clientId });
    const subject: RateLimitSubject = { caller: digest, callers: 'client', companyId: company.id };
    await countForManager(rateLimits.management, subject, response);
    await countForWorkspace(rateLimits.management, subject, response);
    requireFeature(company);
    const owner = { companyId: company.id, keyDigest: digest };
    const slot = new RequestSlot(this.#limiter, owner, response);
    return { companyId: company.id, key: { scopes }, slot, hasToken: true };
  }

  /**
   * Authenticates the session or the API key of a management request, counts the request, and authorizes it. Requests that lack a
   * permission are recorded.
   *
   * @throws ApiError if the credential is not valid, has exceeded a limit, or must not use the operation.
   */
  async authenticateManager(
    operation: ManagementRoute,
    incoming: Incoming,
    limits: ManagementLimits,
  ): Promise<Caller> {
    const { request, response, credential } = incoming;
    const isKey = operation.access === 'session or key' && credential.isApiKey;
    const key = isKey ? await this.#findKey(incoming) : null;
    const session = key === null ? await this.#findSession(incoming) : null;
    const company = (key ?? session)!.company;
    const companyId = company.id;
    const userId = session?.userId ?? null;
    const requester = {
      userId,
      apiKeyId: key?.id ?? null,
      ...requestIdsOf(response),
      ipAddress: callerAddress(request),
    };
    const owner = { companyId, ...(key !== null && { keyDigest: credential.digest }) };
    const caller = {
      companyId,
      key,
      session,
      requester,
      slot: new RequestSlot(this.#limiter, owner, response),
    };
    const subject: RateLimitSubject =
      userId === null
        ? { caller: credential.digest, callers: 'key', companyId }
        : { caller: `${companyId}:${userId}`, callers: 'user', companyId };
    await countForManager(limits, subject, response);
    try {
      requireRight(operation, caller);
    } catch (refusal) {
      await this.#record(refusal, caller, operation);
      throw refusal;
    }
    await countForWorkspace(limits, subject, response);
    return caller;
  }

  /** The network is checked before the request is counted, so a stolen key cannot use up its limit from elsewhere. */
  async #findKey(incoming: Incoming): Promise<AuthenticatedKey> {
    const { request, response, credential } = incoming;
    const { db, logger } = this.context;
    const key = await authenticateKey(credential, db, logger, this.#keys);
    incoming.isVerified = true;
    addLogFields(response, { companyId: key.company.id, keyId: key.id, keyPrefix: key.prefix });
    requireNetwork(key.allowedNetworks, request);
    return key;
  }

  async #findSession(incoming: Incoming): Promise<AuthenticatedSession> {
    const { response, credential } = incoming;
    const { db } = this.context;
    const session = await this.#sessions(credential.digest, () =>
      authenticateSession(credential, db, this.#sessionTokens),
    );
    incoming.isVerified = true;
    addLogFields(response, { companyId: session.company.id, userId: session.userId });
    return session;
  }

  /** Records a request that lacked a permission. If it cannot be recorded, the caller gets the same response. */
  async #record(refusal: unknown, caller: Caller, { operationId }: ManagementRoute): Promise<void> {
    const { db, logger } = this.context;
    if (!(refusal instanceof ApiError)) return;
    const { requestId } = caller.requester;
    await recordRefusal(db, caller, operationId, refusal.code).catch((error: unknown) =>
      logger.warn('could not record a rejected request', { requestId, ...describeError(error) }),
    );
  }
}

/** @throws ApiError if the caller must not use the operation. */
function requireRight(operation: ManagementRoute, { key, session }: Pick<Caller, 'key' | 'session'>): void {
  if (operation.access === 'session' && operation.isForAnySession) return;
  if (session !== null) requirePermission(session);
  else if (operation.access === 'session or key') requireScope(key!.scopes, operation.scope);
  requireFeature((session ?? key)!.company);
}
