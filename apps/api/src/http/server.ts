import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from '@deal-signals/runtime/logger';
import type { EndedRequest } from './request-log.ts';
import { respondToUnreadableRequest } from './unreadable-request.ts';

/**
 * Longer than load balancers keep idle connections (60 s or less). If the server closed first, a load balancer could
 * send a request over a connection that is already closed.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Creates the HTTP server of the application. Every request gets a response in the API's format, never one of Node's
 * own.
 *
 * @param perMinute the rate limit, for the headers of responses that the application does not send.
 * @param onUnreadable called with each request that could not be parsed and therefore did not reach the application.
 */
export function createApiServer(
  app: RequestListener,
  logger: Logger,
  perMinute: number,
  onUnreadable: (request: EndedRequest) => void = () => {},
): Server {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // The API does not need the Host header, and Node would refuse a request without one with an empty response.
      requireHostHeader: false,
    },
    app,
  );
  // Node would refuse an unknown Expect header with an empty response.
  server.on('checkExpectation', app);
  server.on('clientError', respondToUnreadableRequest(logger, perMinute, onUnreadable));
  return server;
}
