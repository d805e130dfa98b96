import { type Request, Router } from 'express';
import { ApiError, invalidRequest, refuseMethods } from '../http/errors.ts';
import { requireDatabase } from '../http/health.ts';
import { readBody } from '../http/json-request.ts';
import { limitHeaders } from '../http/limits/rate-limit.ts';
import type { Incoming, RequestGuard } from '../http/request-guard.ts';
import { addLogFields } from '../http/request-log.ts';
import { callTool } from './call-tool.ts';
import { createMcpErrorHandler, NOT_ACCEPTABLE } from './errors.ts';
import { handleMessage } from './protocol.ts';

/** The route of the Model Context Protocol. It is not below `/api/v1`, because the protocol has versions of its own. */
export const MCP_ROUTE = { method: 'POST', path: '/mcp' };

/**
 * Matches an `Accept` header that allows JSON, the only type that is sent here. The protocol requires clients to accept streams
 * as well, but not all of them do.
 */
const ACCEPTS_JSON = /^\s*$|(^|,)\s*(\*(\/\*)?|application\/(\*|json))\s*([;,]|$)/i;

/**
 * Serves the Model Context Protocol to holders of an API key or an access token: each POST is one message and gets one JSON
 * response. There are no sessions and no streams, so other methods are rejected.
 */
export function createMcpRouter(guard: RequestGuard): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { settings, isDatabaseChecked } = guard.context;
  router.use((_request, response, next) => {
    addLogFields(response, { route: MCP_ROUTE.path });
    next();
  }, limitHeaders(settings.rateLimitPerMinute));
  router.post('/', requireDatabase(isDatabaseChecked), (request, response) =>
    guard.handle(request, response, (incoming) => serve(incoming, guard)),
  );
  router.all('/', refuseMethods('POST'));
  router.use(createMcpErrorHandler(settings.oauth));
  return router;
}

async function serve(incoming: Incoming, guard: RequestGuard): Promise<void> {
  const { request, response } = incoming;
  requireNoWebPage(request);
  const caller = await guard.authenticateAssistant(incoming);
  await readBody(request, response);
  // One message only, because one request is counted. The newer versions of the protocol have no batches.
  if (Array.isArray(request.body)) throw invalidRequest('body: must be one JSON-RPC message, not a batch');
  if (!ACCEPTS_JSON.test(request.get('accept') ?? '')) {
    addLogFields(response, { errorCode: 'INVALID_REQUEST' });
    response.status(406).json(NOT_ACCEPTABLE);
    return;
  }
  const reply = await handleMessage(
    request.body,
    (name) => request.get(name),
    (name, given) => callTool(name, given, caller, incoming, guard),
  );
  if (reply.isRefused) addLogFields(response, { errorCode: 'INVALID_REQUEST' });
  response.status(reply.status);
  if (reply.text === null) response.end();
  else response.type('json').send(reply.text);
}

/**
 * Rejects requests from web pages. A page normally has no key, but the protocol requires a check of the origin, against pages
 * that reach servers of a private network through their visitors (DNS rebinding). The Host header proves nothing, because such a
 * page chooses it. No origin is allowed: an assistant that runs in a page would disclose its key to everyone who opens the page.
 */
function requireNoWebPage(request: Request): void {
  if (request.get('origin') === undefined) return;
  throw new ApiError('PERMISSION_DENIED', 'requests from web pages are not allowed');
}
