import { type Request, type RequestHandler, type Response, Router } from 'express';
import { requireScope } from '../auth/scopes.ts';
import {
  type Admission,
  admitKey,
  admitKeyToManage,
  admitSession,
  carriesApiKey,
  credentialOf,
  nameOf,
} from './admission.ts';
import { ApiError } from './errors.ts';
import { nameIgnoredParameters } from './ignored-parameters.ts';
import { readBody } from './json-request.ts';
import { prefersLines, sendLines } from './responses/lines.ts';
import { readData } from './replica-reads.ts';
import type { Caller, Places } from './limits/places.ts';
import { note } from './request-log.ts';
import type { Manager } from '../routes/management-transaction.ts';
import type { Context, ManagementRequest, Route } from './route.ts';
import { lengthOf, sendJson, type Serialized, serializeJson } from './responses/send-json.ts';
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

type KeyRoute = Extract<Route, { access: 'key' }>;
type ManagementRoute = Exclude<Route, KeyRoute>;

/** What a management request is about, beside who makes it. */
type Asked = Omit<ManagementRequest, keyof Manager>;

/** Serves a route: log, credential, rate, place, handler, send. */
function serve(route: Route, admission: Admission, context: Context, prefix: string): RequestHandler {
  return async (request, response) => {
    note(response, { route: `${prefix}${route.path}` });
    if (route.sunset) announceSunset(response, route.sunset);
    try {
      if (route.access === 'key') await serveKey(route, request, response, admission, context);
      else await serveManagement(route, request, response, admission, context);
    } catch (error) {
      await admission.places.paceRefusal(error, credentialOf(request), response);
      throw error;
    }
  };
}

async function serveKey(
  route: KeyRoute,
  request: Request,
  response: Response,
  admission: Admission,
  context: Context,
): Promise<void> {
  const { places } = admission;
  const { key, caller } = await admitKey(request, response, admission, context, ({ scopes }) =>
    requireScope(scopes, route.scope),
  );
  const input = {
    companyId: caller.companyId,
    key,
    params: request.params,
    query: queryOf(route, request, response),
  };
  await places.occupy(caller, response);
  // Serializing a large page takes longer than reading it, so it is part of what the place is held for.
  const body = await places.hold(caller, response, async () =>
    serialize(
      // Without a scope, it is the status of the key and of the webhooks, which an admin may just have changed.
      route.scope === null
        ? await route.handler(input, context)
        : await readData(context, (reading) => route.handler(input, reading)),
      caller,
      response,
      places,
    ),
  );
  response.status(route.status ?? 200);
  await sendJson(request, response, body);
}

async function serveManagement(
  route: ManagementRoute,
  request: Request,
  response: Response,
  admission: Admission,
  context: Context,
): Promise<void> {
  if (route.access === 'session or key' && carriesApiKey(request)) {
    const manager = await admitKeyToManage(route, request, response, admission, context);
    const asked = await readManagement(route, manager, request, response, admission);
    await sendOutcome(route, manager, request, response, admission, () =>
      route.handler({ ...manager, ...asked }, context),
    );
    return;
  }
  const admin = await admitSession(route, request, response, admission, context);
  const input = { ...admin, ...(await readManagement(route, admin, request, response, admission)) };
  if ('lines' in route && route.lines !== undefined) {
    response.vary('Accept');
    if (prefersLines(request)) {
      const lines = route.lines.handler(input, context);
      const next = () => admission.places.hold(callerOf(admin), response, () => lines.next());
      await sendLines(request, response, { next, return: () => lines.return() });
      return;
    }
  }
  await sendOutcome(route, admin, request, response, admission, () => route.handler(input, context));
}

/** Reads what a management request is about, and takes a place for its response. */
async function readManagement(
  route: ManagementRoute,
  manager: Manager,
  request: Request,
  response: Response,
  { places }: Admission,
): Promise<Asked> {
  // Responses may contain signing secrets and keys, which no cache may store.
  response.set('Cache-Control', 'no-store');
  const query = queryOf(route, request, response);
  if (route.body) await readBody(request, response);
  await places.occupy(callerOf(manager), response);
  return {
    note: (facts) => note(response, facts),
    params: request.params,
    query,
    body: request.body as unknown,
  };
}

async function sendOutcome(
  route: ManagementRoute,
  manager: Manager,
  request: Request,
  response: Response,
  { places }: Admission,
  handle: () => Promise<object | void>,
): Promise<void> {
  // A write takes its place when its transaction begins: a ping must not keep one while it waits for the receiver.
  const caller = callerOf(manager);
  const body = await (route.method === 'GET'
    ? places.hold(caller, response, async () => serialize(await handle(), caller, response, places))
    : handle().then((outcome) => (outcome === undefined ? '' : serializeJson(outcome))));
  response.status(route.status ?? 200);
  if (route.status === 204) response.end();
  else await sendJson(request, response, body);
}

/** Serializes a body, and takes a place for it if it is large. */
async function serialize(
  outcome: object | void,
  caller: Caller,
  response: Response,
  places: Places,
): Promise<Serialized> {
  const body = await serializeJson(outcome as object);
  await places.occupyIfLarge(caller, response, lengthOf(body));
  return body;
}

/** For whom the places of a management request are taken. */
function callerOf({ companyId, key }: Manager): Caller {
  return key === null ? { companyId } : { companyId, keyHash: nameOf(key) };
}

/** The parsed query. The names of parameters that the operation does not know go into a header of the response. */
function queryOf({ query }: Route, request: Request, response: Response): Request['query'] {
  const parameters = request.query;
  nameIgnoredParameters(response, parameters, query);
  return parameters;
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
