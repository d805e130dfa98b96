import { describeError } from '@deal-signals/runtime/logger';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerAddress } from '../auth/networks.ts';
import { requireScope, type Scope } from '../auth/scopes.ts';
import { authenticateSession, requirePermission } from '../auth/session.ts';
import type { Admin } from '../routes/management-transaction.ts';
import { recordRefusal } from '../routes/refused-request.ts';
import { type Admission, admitKey } from './admission.ts';
import { ApiError, requireFeature } from './errors.ts';
import { readBody } from './json-request.ts';
import { prefersLines, sendLines } from './lines.ts';
import { countForUser, countForWorkspace } from './management-limit.ts';
import { note, requestIdsOf } from './request-log.ts';
import type { AdminOperation, AdminRemoval, AdminRequest, Context, KeyOperation, Route } from './route.ts';
import { sendJson, type Serialized, serializeJson } from './send-json.ts';
import { readData } from './replica-reads.ts';
import { announceSunset } from './sunset.ts';

/**
 * Creates the router of a route table, which the log and the metrics show with a prefix. A known path responds with 405 to methods that the table does not list for it.
 */
export function createRouter(
  table: readonly Route[],
  admission: Admission,
  context: Context,
  prefix = '',
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(table.map((route) => route.path))) {
    const routes = table.filter((route) => route.path === path);
    for (const route of routes) {
      // Express also serves HEAD requests with the GET route.
      const method = route.method.toLowerCase() as Lowercase<Route['method']>;
      router[method](path, serve(route, admission, context, prefix));
    }
    router.all(path, refuseMethod(`${prefix}${path}`, routes));
  }
  return router;
}

type SessionRoute = Extract<Route, { access: 'session' }>;

function serve(route: Route, admission: Admission, context: Context, prefix: string): RequestHandler {
  const { places } = admission;
  return async (request, response) => {
    note(response, { route: `${prefix}${route.path}` });
    if (route.sunset) announceSunset(response, route.sunset);
    if (route.access === 'key') {
      const body = await handleWithKey(route, request, response, admission, context);
      response.status(route.status ?? 200);
      await sendJson(request, response, body);
      return;
    }
    const admitted = await admitWithSession(route, request, response, admission, context);
    const { companyId } = admitted;
    if ('lines' in route && route.lines !== undefined) {
      response.vary('Accept');
      if (prefersLines(request)) {
        const lines = route.lines.handler(admitted, context);
        const next = () => places.hold({ companyId }, response, () => lines.next());
        await sendLines(request, response, { next, return: () => lines.return() });
        return;
      }
    }
    const handle = async () => route.handler(admitted, context);
    // A write takes its place when its transaction begins: a ping must not keep one while it waits for the receiver.
    const body = await places.paceRefusals(request.get('authorization') ?? '', response, () =>
      route.method === 'GET' ? places.hold({ companyId }, response, handle) : handle(),
    );
    response.status(route.status ?? 200);
    if (route.status === 204) response.end();
    else await sendJson(request, response, await serializeJson(body as object));
  };
}

async function handleWithKey(
  operation: KeyOperation & { scope: Scope | null },
  request: Request,
  response: Response,
  admission: Admission,
  context: Context,
): Promise<Serialized> {
  const { key, caller } = await admitKey(request, response, admission, context, ({ scopes }) =>
    requireScope(scopes, operation.scope),
  );
  const { companyId } = caller;
  const input = { companyId, key, params: request.params, query: queryOf(operation, request) };
  // Serializing a large page takes longer than reading it, so it is part of what the place is held for.
  return admission.places.hold(caller, response, async () =>
    serializeJson(
      // Without a scope, it is the status of the key and of the webhooks, which an admin may just have changed.
      operation.scope === null
        ? await operation.handler(input, context)
        : await readData(context, (reading) => operation.handler(input, reading)),
    ),
  );
}

/** Checks that the session of a request may use an operation. @returns what the handler needs. */
async function admitWithSession(
  operation: SessionRoute,
  request: Request,
  response: Response,
  { management, places, sessions }: Admission,
  context: Context,
): Promise<AdminRequest> {
  const authorization = request.get('authorization') ?? '';
  const admin = await places.admit(authorization, response, async () => {
    const session = await sessions(authorization, () =>
      authenticateSession(context.db, context.settings.sessions, authorization),
    );
    const companyId = session.company.id;
    note(response, { companyId, userId: session.userId });
    const ofUser = await countForUser(management, session, response);
    const found: Admin = {
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
      await recordIfForbidden(refusal, found, operation, context);
      throw refusal;
    }
    return found;
  });
  // Responses may contain signing secrets and keys, which no cache may store.
  response.set('Cache-Control', 'no-store');
  if (operation.body) await readBody(request, response);
  return {
    ...admin,
    note: (facts) => note(response, facts),
    params: request.params,
    query: queryOf(operation, request),
    body: request.body as unknown,
  };
}

/** The parsed query. A route without parameters does not look at it. */
function queryOf(operation: { query?: unknown }, request: Request): Request['query'] {
  return operation.query === undefined ? {} : request.query;
}

/** Adds a refused request to the audit log. If that fails, the caller gets the same response. */
async function recordIfForbidden(
  refusal: unknown,
  admin: Admin,
  { operationId }: AdminOperation | AdminRemoval,
  { db, logger }: Context,
): Promise<void> {
  if (!(refusal instanceof ApiError) || refusal.status !== 403) return;
  try {
    await recordRefusal(db, admin, operationId, refusal.code);
  } catch (error) {
    logger.warn('could not record a refused request', {
      requestId: admin.requestId,
      ...describeError(error),
    });
  }
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
