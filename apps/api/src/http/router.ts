import { Router } from 'express';
import type { z } from 'zod';
import { refuseMethods } from './errors.ts';
import { nameIgnoredParameters } from './ignored-parameters.ts';
import { type deliveryPath, parseBody, parsePath, parseQuery } from './input.ts';
import { readBody } from './json-request.ts';
import type { ManagementLimits } from './limits/management-limit.ts';
import type { RequestSlot } from './limits/request-slot.ts';
import { readData } from './replica-reads.ts';
import type { Incoming, RequestGuard } from './request-guard.ts';
import { addLogFields, type RequestFacts } from './request-log.ts';
import { prefersLines, sendLines } from './responses/lines.ts';
import { lengthOf, sendJson, serializeJson } from './responses/send-json.ts';
import type { KeyRoute, ManagementRoute, Route } from './route.ts';
import { announceSunset } from './sunset.ts';

/**
 * More than a page has, so only objects that grow with their workspace exceed it. The metrics of a room with 100,000 people have
 * 40 MiB.
 */
const LARGE_BYTES = 5 * 1_024 * 1_024;

/** How a route table is served. */
interface RouterOptions {
  /** The prefix of the paths in the log and the metrics. */
  prefix?: string;
  /** The limits of management requests. */
  limits?: ManagementLimits;
}

/** Creates the router of a route table. A known path responds with 405 to methods that the table does not list for it. */
export function createRouter(
  table: readonly Route[],
  guard: RequestGuard,
  { prefix = '', limits = guard.context.rateLimits.management }: RouterOptions = {},
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(table.map((route) => route.path))) {
    const routes = table.filter((route) => route.path === path);
    const handlers = router.route(path);
    for (const route of routes) {
      // Express also routes HEAD requests to the GET route.
      const method = route.method.toLowerCase() as Lowercase<Route['method']>;
      handlers[method]((request, response) => {
        addLogFields(response, { route: `${prefix}${path}` });
        if (route.sunset) announceSunset(response, route.sunset);
        return guard.handle(request, response, (incoming) =>
          route.access === 'key'
            ? serveKey(route, incoming, guard)
            : serveManager(route, incoming, guard, limits),
        );
      });
    }
    const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    handlers.all(
      (_request, response, next) => {
        addLogFields(response, { route: `${prefix}${path}` });
        next();
      },
      refuseMethods(allowed.join(', ')),
    );
  }
  return router;
}

/** Serves a request that reads data: authenticates, parses, reads, responds. */
async function serveKey(route: KeyRoute, incoming: Incoming, guard: RequestGuard): Promise<void> {
  const { request, response } = incoming;
  const { companyId, key, slot } = await guard.authenticateReader(route.scope, incoming);
  const input = { companyId, key, ...parseUrl(route, incoming), body: {} };
  const body = await readResponse(slot, () =>
    // Routes without a scope read the primary: an admin may just have changed the status, and replicas would delay erasures.
    route.scope === null
      ? route.handler(input, guard.context)
      : readData(guard.context, (reading) => route.handler(input, reading)),
  );
  await sendJson(request, response.status(route.status ?? 200), body);
}

/** Serves a management request or a request of the console: authenticates, parses, reads or writes, responds. */
async function serveManager(
  route: ManagementRoute,
  incoming: Incoming,
  guard: RequestGuard,
  limits: ManagementLimits,
): Promise<void> {
  const { request, response } = incoming;
  const caller = await guard.authenticateManager(route, incoming, limits);
  // Responses may contain signing secrets and keys, which caches must not store.
  response.set('Cache-Control', 'no-store');
  const parameters = parseUrl(route, incoming);
  if (route.body) await readBody(request, response);
  const input = {
    ...caller,
    // The guard admits only sessions to a route for sessions.
    session: caller.session!,
    ...parameters,
    body: parseBody(route, request.body),
    addLogFields: (facts: Partial<RequestFacts>) => addLogFields(response, facts),
  };
  if ('lines' in route && route.lines !== undefined) {
    response.vary('Accept');
    if (prefersLines(request)) {
      const lines = route.lines.handler(input, guard.context);
      const readLines = () => {
        input.slot.keepUntilSent({ staysActive: false });
        return lines.next();
      };
      await sendLines(request, response, {
        next: () => input.slot.read(readLines),
        return: () => lines.return(),
      });
      return;
    }
  }
  const handle = (): Promise<object | void> => route.handler(input, guard.context);
  // A write acquires its slot when its transaction begins. A ping must not hold one while it waits for the receiver.
  const body =
    route.method === 'GET'
      ? await readResponse(input.slot, handle)
      : await handle().then((outcome) => (outcome === undefined ? [] : serializeJson(outcome)));
  response.status(route.status ?? 200);
  if (route.status === 204) response.end();
  else await sendJson(request, response, body);
}

/** Reads and serializes a response in the slot. Serializing a large page takes longer than reading it. */
function readResponse(slot: RequestSlot, read: () => Promise<object | void>): Promise<Buffer[]> {
  return slot.read(async () => {
    const body = await serializeJson((await read()) as object);
    slot.keepUntilSent({ staysActive: lengthOf(body) > LARGE_BYTES });
    return body;
  });
}

/** Parses the parameters of a request. The names of unknown ones go into a header of the response. */
function parseUrl(route: Route, { request, response }: Incoming) {
  // Express parses the query each time this property is read.
  const given = request.query;
  nameIgnoredParameters(response, given, route.query);
  const params = parsePath(route, request.params);
  // The router does not know which parameters mean an endpoint or a delivery, but their paths do.
  if (route.path.startsWith('/webhooks/:id')) {
    const { id, deliveryId } = params as z.output<typeof deliveryPath>;
    addLogFields(response, { endpointId: id, ...(deliveryId && { deliveryId }) });
  }
  return { params, query: parseQuery(route, given) };
}
