import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { createSharedReads, type SharedReads } from '@deal-signals/runtime/shared-reads';
import { type AuthenticatedKey, authenticateKey } from '../auth/api-key.ts';
import { type AuthenticatedSession, authenticateSession } from '../auth/session.ts';
import { ApiError, requireFeature } from './errors.ts';
import { createPlaces, type Places } from './places.ts';
import { countRequest, type RateLimit } from './rate-limit.ts';
import { note, requestIdOf } from './request-log.ts';
import type { AdminOperation, AdminRemoval, AdminRequest, DataOperation, Context, Route } from './route.ts';
import { sendJson } from './send-json.ts';
import { announceSunset } from './sunset.ts';

/** Parses every body as JSON, whatever its Content-Type is. */
const jsonParser = express.json({ limit: '100kb', type: () => true });

/** What decides whether and when a request is handled. */
interface Admission {
  rateLimit: RateLimit;
  places: Places;
  /**
   * The look-ups of credentials by the header that was sent, on which alone the results depend. Many requests with one
   * credential cost one connection, and each look-up begins after its request arrived, so a key that was revoked before
   * is refused.
   */
  keys: SharedReads<AuthenticatedKey>;
  sessions: SharedReads<AuthenticatedSession>;
}

/**
 * Creates the router of a route table. A known path responds with 405 to methods that the table does not list for it.
 */
export function createRouter(table: readonly Route[], rateLimit: RateLimit, context: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const places = createPlaces(context.settings.places);
  context.metrics.watchWaiting(() => places.waiting());
  const admission: Admission = {
    rateLimit,
    places,
    keys: createSharedReads(),
    sessions: createSharedReads(),
  };
  for (const path of new Set(table.map((route) => route.path))) {
    const routes = table.filter((route) => route.path === path);
    for (const route of routes) {
      // Express also serves HEAD requests with the GET route.
      const method = route.method.toLowerCase() as Lowercase<Route['method']>;
      router[method](path, serve(route, admission, context));
    }
    router.all(path, refuseMethod(path, routes));
  }
  return router;
}

function serve(route: Route, admission: Admission, context: Context): RequestHandler {
  return async (request, response) => {
    note(response, { route: route.path });
    if (route.sunset) announceSunset(response, route.sunset);
    const body =
      route.access === 'key'
        ? await handleWithKey(route, request, response, admission, context)
        : await handleWithSession(route, request, response, admission, context);
    response.status(route.status ?? 200);
    if (route.status === 204) response.end();
    else await sendJson(request, response, body as object);
  };
}

async function handleWithKey(
  operation: DataOperation,
  request: Request,
  response: Response,
  { rateLimit, places, keys }: Admission,
  context: Context,
): Promise<object> {
  const authorization = request.get('authorization');
  const key = await keys(authorization ?? '', () =>
    authenticateKey(context.db, context.logger, authorization),
  );
  note(response, { companyId: key.company.id, keyId: key.id, keyPrefix: key.prefix });
  // Counted by hash, because another database that shares this Redis may have a different key with the same id.
  const keyHash = key.hash.toString('base64url');
  await countRequest(rateLimit, keyHash, response);
  requireFeature(key.company);
  const companyId = key.company.id;
  const input = { companyId, key, params: request.params, query: queryOf(operation, request) };
  return places.hold({ companyId, keyHash }, response, () => operation.handler(input, context));
}

async function handleWithSession(
  operation: (AdminOperation | AdminRemoval) & Pick<Route, 'method'>,
  request: Request,
  response: Response,
  { places, sessions }: Admission,
  context: Context,
): Promise<object | void> {
  const authorization = request.get('authorization');
  const session = await sessions(authorization ?? '', () =>
    authenticateSession(context.db, context.settings.sessions, authorization),
  );
  note(response, { companyId: session.company.id, userId: session.userId });
  requireFeature(session.company);
  // Responses may contain signing secrets and keys, which no cache may store.
  response.set('Cache-Control', 'no-store');
  if (operation.body) await readBody(request, response);
  const companyId = session.company.id;
  const input: AdminRequest = {
    companyId,
    session,
    requestId: requestIdOf(response),
    inTurn: (write) => places.holdToWrite({ companyId }, response, write),
    note: (facts) => note(response, facts),
    params: request.params,
    query: queryOf(operation, request),
    body: request.body as unknown,
  };
  const handle = async () => operation.handler(input, context);
  // A write takes its place when its transaction begins: a ping must not keep one while it waits for the receiver.
  return operation.method === 'GET' ? places.hold({ companyId }, response, handle) : handle();
}

/** The parsed query. A route without parameters does not look at it. */
function queryOf(operation: { query?: unknown }, request: Request): Request['query'] {
  return operation.query === undefined ? {} : request.query;
}

/** Parses the body. Called after authentication, so that the bodies of unauthenticated callers are never read. */
function readBody(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    jsonParser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}

function refuseMethod(path: string, routes: readonly Route[]): RequestHandler {
  const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return (_request, response) => {
    note(response, { route: path });
    throw new ApiError('METHOD_NOT_ALLOWED', `this path allows only ${allowed}`, {
      headers: { Allow: allowed },
    });
  };
}
