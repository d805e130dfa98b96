import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from '@deal-signals/runtime/logger';
import type { EndedRequest } from './request-log.ts';
import { answerUnreadableRequest } from './unreadable-request.ts';

/** Load balancers keep idle connections for 60 s or less, and theirs must be the side that closes. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The HTTP server around the application: whatever arrives gets an answer of the API's form, never one of Node's own.
 *
 * @param onUnreadable told of each request that the application did not get to see, because it could not be read.
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
      // Nothing here depends on the host, and Node would refuse a request without one in an empty answer.
      requireHostHeader: false,
    },
    app,
  );
  // Node would refuse an expectation that it does not know in an empty answer.
  server.on('checkExpectation', app);
  server.on('clientError', answerUnreadableRequest(logger, perMinute, onUnreadable));
  return server;
}
