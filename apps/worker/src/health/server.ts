import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProbeServer } from '@deal-signals/runtime/probe-server';
import { describeReadiness } from '@deal-signals/runtime/readiness';

/** The sources of the health endpoints. */
export interface HealthContext {
  /** Returns the problems that keep the worker from working, as stable words; none if it is ready. */
  failing: () => Promise<string[]>;
  /** Returns the migrations that are missing in the database. */
  missingMigrations: () => readonly string[];
  metrics: { contentType: string; scrape: () => Promise<string> };
}

/** The server of the health endpoints. */
export interface HealthServer {
  /** The port it listens on. */
  port: number;
  close(): void;
}

/**
 * Serves `/healthz` (the process is alive), `/readyz` (it can work, or what is wrong) and `/metrics` for Prometheus.
 *
 * @param port 0 for any free port.
 * @param host the address to listen on.
 * @throws Error if the port is already in use.
 */
export async function serveHealth(port: number, host: string, context: HealthContext): Promise<HealthServer> {
  const server = createProbeServer((request, response) => {
    respond(context, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(
  { failing, missingMigrations, metrics }: HealthContext,
  { url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, type: string, body: string) =>
    response.writeHead(status, { 'content-type': type }).end(body);
  const sendJson = (status: number, body: object) => send(status, 'application/json', JSON.stringify(body));
  if (url === '/healthz') sendJson(200, { ok: true });
  else if (url === '/readyz') {
    const words = await failing();
    sendJson(words.length === 0 ? 200 : 503, describeReadiness(words, missingMigrations()));
  } else if (url === '/metrics') send(200, metrics.contentType, await metrics.scrape());
  else sendJson(404, { ok: false });
}
