import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { boundConnections } from '@deal-signals/runtime/bound-connections';
import type { Logger } from '@deal-signals/runtime/logger';
import type { Metrics } from '../../metrics.ts';
import { closeAfterResponses } from './drain.ts';
import type { Messages } from '../optimizations.ts';
import { createPendingRequests, MAX_PENDING_REQUESTS } from './pending-requests.ts';
import { addLogFields } from '../request-log.ts';
import { createUnreadableRequests } from './unreadable-request.ts';

/** Limits of the resources that callers can occupy with connections. */
export interface ConnectionLimits {
  /** Maximum number of connections of this process. Further ones are closed as soon as they are made. */
  connections: number;
  /** A response is cut off if its caller reads nothing for this long. */
  stallMs: number;
  /** Time limit for the headers of a request, or of the first one over a new connection. */
  headersMs: number;
  /** Time limit for a whole request. */
  requestMs: number;
}

/** The limits for callers of the API. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  // An idle connection costs about 20 KiB, so all of them together cost less than 100 MiB.
  connections: 4_000,
  // Requests are small, so this is enough even for a slow network.
  headersMs: 15_000,
  requestMs: 30_000,
  // A slow network transfers part of a response in this time. A caller that reads nothing has stopped reading.
  stallMs: 10_000,
};

/** Dependencies of the server in addition to the application. */
export interface ServerOptions {
  logger: Logger;
  /** The rate limit, for the headers of responses that the application does not send. */
  perMinute: number;
  limits: ConnectionLimits;
  metrics: Pick<Metrics, 'observeRequest' | 'connectionsDropped' | 'responsesCut'>;
  /** Aborted when the process is told to stop. Callers are then asked to disconnect. */
  stopping: AbortSignal;
  messages?: Messages;
}

/**
 * Longer than load balancers keep idle connections (60 s or less). If the server closed first, a load balancer could
 * send a request over a connection that is already closed.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** Number of timeout checks during the shorter of the two timeouts. */
const CHECKS_A_TIMEOUT = 6;
const DROPS_LOG_INTERVAL_MS = 10_000;

/**
 * Creates the HTTP server of the application. Every request gets a response in the API's format, never Node's own. The resources
 * of a caller are limited: connections, requests over one connection, the time to send a request, and the time that a response
 * waits to be read.
 */
export function createApiServer(
  app: RequestListener,
  { logger, perMinute, limits, metrics, stopping, messages }: ServerOptions,
): Server {
  const pending = createPendingRequests();
  const askToLeave = closeAfterResponses(stopping, pending);
  const unreadable = createUnreadableRequests({
    logger,
    perMinute,
    stallMs: limits.stallMs,
    pending,
    onEnd: metrics.observeRequest,
  });
  const server = createServer({
    ...messages,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: limits.requestMs,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.headersMs / CHECKS_A_TIMEOUT,
    // The API does not need the Host header, and Node would reject a request without one with an empty response.
    requireHostHeader: false,
  });
  const serve: RequestListener = (request, response) => {
    const { socket } = request;
    if (unreadable.isEnding(socket)) return;
    if (pending.size(socket) >= MAX_PENDING_REQUESTS) {
      unreadable.refuse(
        socket,
        `a connection must not have more than ${MAX_PENDING_REQUESTS} requests in progress`,
      );
      return;
    }
    pending.add(request, response, () => {
      // The rest of an incomplete request will not arrive any more.
      if (unreadable.isEnding(socket) && !request.complete) return;
      askToLeave(response);
      // Node restarts this timer whenever part of the response is sent. It may also fire before the response begins.
      response.setTimeout(limits.stallMs, () => {
        if (socket.writableLength === 0) return;
        metrics.responsesCut.inc();
        addLogFields(response, { cut: true });
        socket.destroy();
      });
      app(request, response);
    });
  };
  server.on('request', serve);
  // Node would reject an unknown Expect header with an empty response.
  server.on('checkExpectation', serve);
  // Node declares it as a Duplex, for servers that are given streams of their own.
  server.on('clientError', (error, socket) => unreadable.onClientError(error, socket as Socket));
  server.on('connect', (_request, socket) => unreadable.onConnect(socket as Socket));
  boundConnections(server, limits.connections);
  server.on('drop', countDrops(logger, metrics));
  return server;
}

/** Counts connections that were dropped because there were too many, and logs them at intervals. */
function countDrops(logger: Logger, metrics: Pick<Metrics, 'connectionsDropped'>): () => void {
  let quietUntilMs = -Infinity;
  return () => {
    metrics.connectionsDropped.inc();
    if (performance.now() < quietUntilMs) return;
    quietUntilMs = performance.now() + DROPS_LOG_INTERVAL_MS;
    logger.warn('too many connections; new ones are closed');
  };
}
