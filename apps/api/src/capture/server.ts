import { createServer, type RequestListener, type Server } from 'node:http';
import { boundConnections } from '@deal-signals/runtime/bound-connections';
import { closeAfterResponses } from '../http/server/drain.ts';
import type { Messages } from '../http/optimizations.ts';
import { createPendingRequests, MAX_PENDING_REQUESTS } from '../http/server/pending-requests.ts';
import { addLogFields } from '../http/request-log.ts';
import type { Metrics } from '../metrics.ts';
import type { CaptureSettings } from './settings.ts';

/** Time limit for the headers of a request. */
const HEADERS_MS = 15_000;
/** As for the public API: longer than proxies keep idle connections. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** How often the timeouts are checked. */
const CHECKS_PER_TIMEOUT = 6;
/** Idle connections that senders keep, in addition to those of the requests in progress. */
const SPARE_CONNECTIONS = 1_000;

/**
 * Creates the HTTP server of the capture port. A request may take any time, as long as data keeps arriving.
 *
 * @param stopping aborted when the process is told to stop. Senders are then asked to disconnect.
 */
export function createCaptureServer(
  app: RequestListener,
  { streams, stallMs }: CaptureSettings,
  metrics: Pick<Metrics, 'responsesCut'>,
  stopping: AbortSignal,
  messages: Messages = {},
  headersMs = HEADERS_MS,
): Server {
  const pending = createPendingRequests();
  const askToLeave = closeAfterResponses(stopping, pending);
  const server = createServer({
    ...messages,
    // The body of a request may be endless. Its reader ends a request that stalls.
    requestTimeout: 0,
    headersTimeout: headersMs,
    connectionsCheckingInterval: headersMs / CHECKS_PER_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    if (pending.size(socket) >= MAX_PENDING_REQUESTS) {
      // A rejection would have to wait behind requests that may be endless.
      socket.destroy();
      return;
    }
    pending.add(request, response, () => {
      // Node restarts this timer whenever data arrives or is sent.
      response.setTimeout(stallMs, () => {
        if (socket.writableLength === 0) return;
        metrics.responsesCut.inc();
        addLogFields(response, { cut: true });
        socket.destroy();
      });
      askToLeave(response);
      app(request, response);
    });
  });
  boundConnections(server, streams + SPARE_CONNECTIONS);
  return server;
}
