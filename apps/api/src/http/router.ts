import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { authenticateKey } from '../auth/api-key.ts';
import { authenticateSession } from '../auth/session.ts';
import { ApiError, requireFeature } from './errors.ts';
import { countRequest, type RateLimit } from './rate-limit.ts';
import { note, requestIdOf } from './request-log.ts';
import type { AdminOperation, AdminRemoval, Context, DataOperation, Route } from './route.ts';
import { announceSunset } from './sunset.ts';

/** Parses every body as JSON, whatever its Content-Type is. */
const jsonParser = express.json({ limit: '100kb', type: () => true });

/**
 * Creates the router of a route table. A known path responds with 405 to methods that the table does not list for it.
 */
export function createRouter(table: readonly Route[], rateLimit: RateLimit, context: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(table.map((route) => route.path))) {
    const routes = table.filter((route) => route.path === path);
    for (const route of routes) {
      // Express also serves HEAD requests with the GET route.
      const method = route.method.toLowerCase() as Lowercase<Route['method']>;
      router[method](path, serve(route, rateLimit, context));
    }
    router.all(path, refuseMethod(path, routes));
  }
  return router;
}

function serve(route: Route, rateLimit: RateLimit, context: Context): RequestHandler {
  return async (request, response) => {
    note(response, { route: route.path });
    if (route.sunset) announceSunset(response, route.sunset);
    const body =
      route.access === 'key'
        ? await handleWithKey(route, request, response, rateLimit, context)
        : await handleWithSession(route, request, response, context);
    response.status(route.status ?? 200);
    if (route.status === 204) response.end();
    else response.json(body);
  };
}

async function handleWithKey(
  operation: DataOperation,
  request: Request,
  response: Response,
  rateLimit: RateLimit,
  context: Context,
): Promise<object> {
  const key = await authenticateKey(context.db, context.logger, request.get('authorization'));
  note(response, { companyId: key.company.id, keyId: key.id, keyPrefix: key.prefix });
  // Counted by hash, because another database that shares this Redis may have a different key with the same id.
  await countRequest(rateLimit, key.hash.toString('base64url'), response);
  requireFeature(key.company);
  const { params, query } = request;
  return operation.handler({ companyId: key.company.id, key, params, query }, context);
}

async function handleWithSession(
  operation: AdminOperation | AdminRemoval,
  request: Request,
  response: Response,
  context: Context,
): Promise<object | void> {
  const session = await authenticateSession(
    context.db,
    context.settings.sessions,
    request.get('authorization'),
  );
  note(response, { companyId: session.company.id, userId: session.userId });
  requireFeature(session.company);
  // Responses may contain signing secrets and keys, which no cache may store.
  response.set('Cache-Control', 'no-store');
  if (operation.body) await readBody(request, response);
  const { params, query } = request;
  const body: unknown = request.body;
  return operation.handler(
    {
      companyId: session.company.id,
      session,
      requestId: requestIdOf(response),
      note: (facts) => note(response, facts),
      params,
      query,
      body,
    },
    context,
  );
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
