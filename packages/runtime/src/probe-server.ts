import { createServer, type RequestListener, type Server } from 'node:http';
import { boundConnections } from './bound-connections.ts';

/** Each replica of Prometheus keeps one connection, and each probe opens one. */
const MAX_CONNECTIONS = 100;
/** Kubelets and Prometheus send a request at once and give up on the response after a few seconds. */
const REQUEST_MS = 10_000;
/** How often the timeouts of requests are checked within a timeout. */
const CHECKS_PER_TIMEOUT = 5;

/**
 * Creates the server of the port for probes and scrapes. It accepts few connections, and keeps each of them for a short time.
 *
 * @param requestMs how long a caller may take to send a request, and how long it may stop reading the response.
 */
export function createProbeServer(listener: RequestListener, requestMs = REQUEST_MS): Server {
  const server = createServer(
    {
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: requestMs / CHECKS_PER_TIMEOUT,
    },
    listener,
  );
  server.timeout = requestMs;
  boundConnections(server, MAX_CONNECTIONS);
  return server;
}
