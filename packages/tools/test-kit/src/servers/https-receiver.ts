import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { currentTestRun } from '../test-run.ts';
import { until } from '../until.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body, byte for byte. */
  rawBody: Buffer;
  receivedAt: Date;
}

/** Responds through the raw objects, for example with an endless body or incomplete headers. */
export type RespondByHand = (
  request: ReceivedRequest,
  raw: { request: IncomingMessage; response: ServerResponse },
) => void | Promise<void>;

/** The receiver's reaction to a request that it has read. */
export type Behaviour =
  /** Responds with this status at once. */
  | number
  /** Never responds. */
  | 'hang'
  /** Closes the connection without a response. */
  | 'close'
  | { status: number; delayMs?: number; headers?: Record<string, string>; body?: string }
  | RespondByHand;

export interface Receiver {
  /** `https://<host>:<port>/` */
  readonly url: string;
  readonly port: number;
  /** All requests that were read completely, in order of arrival. */
  readonly requests: ReceivedRequest[];
  /** Sets the behaviour from the next request on. With a list, each request takes the next item, and the last one repeats. */
  respond(behaviour: Behaviour | [Behaviour, ...Behaviour[]]): void;
  /** Waits until at least `count` requests have arrived, and returns all of them. */
  waitFor(count: number, options?: { timeoutMs?: number }): Promise<ReceivedRequest[]>;
  /** The number of open connections. */
  connections(): Promise<number>;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/** Path of the certificate authority (PEM) that issued the receivers' certificate. */
export function testCaFile(): string {
  return currentTestRun().caFile;
}

/**
 * Starts an HTTPS server that records its requests. It responds with 200 unless told otherwise.
 *
 * @param options.host an address of this machine, 127.0.0.1 by default. Another address needs a certificate of its own.
 */
export async function startReceiver(
  options: {
    respond?: Behaviour | [Behaviour, ...Behaviour[]];
    port?: number;
    host?: string;
    certificate?: { cert: string; key: string };
  } = {},
): Promise<Receiver> {
  const host = options.host ?? '127.0.0.1';
  const requests: ReceivedRequest[] = [];
  let behaviours = asList(options.respond ?? 200);
  const server = createServer(options.certificate ?? certificateOfRun(), (request, response) => {
    // A sender that gives up aborts the request or the response. That is not an error here.
    request.on('error', () => {});
    response.on('error', () => {});
    void handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rawBody: Buffer.concat(chunks),
      receivedAt: new Date(),
    };
    requests.push(received);
    const [behaviour, ...later] = behaviours;
    if (later.length > 0) behaviours = later as [Behaviour, ...Behaviour[]];
    await act(behaviour, received, { request, response });
  }

  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host}:${port}/`,
    port,
    requests,
    respond(behaviour) {
      behaviours = asList(behaviour);
    },
    waitFor(count, waitOptions) {
      return until(
        `${count} requests at the receiver`,
        () => requests.length >= count && requests,
        waitOptions,
      );
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function certificateOfRun(): { cert: Buffer; key: Buffer } {
  const { certificateFile, certificateKeyFile } = currentTestRun();
  return { cert: readFileSync(certificateFile), key: readFileSync(certificateKeyFile) };
}

/**
 * Makes a receiver hold its responses, so that an attempt stays in flight for as long as a test needs it.
 *
 * @returns a function that releases the responses: it responds with 200 to the held requests and to all later ones.
 */
export function holdResponses(receiver: Receiver): () => void {
  let letRespond = (): void => {};
  const released = new Promise<void>((resolve) => (letRespond = resolve));
  receiver.respond(async (_request, { response }) => {
    await released;
    response.writeHead(200).end();
  });
  return letRespond;
}

async function act(
  behaviour: Behaviour,
  received: ReceivedRequest,
  raw: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if (behaviour === 'hang') return;
  if (behaviour === 'close') {
    raw.request.socket.destroy();
    return;
  }
  if (typeof behaviour === 'function') {
    await behaviour(received, raw);
    return;
  }
  const {
    status,
    delayMs = 0,
    headers = {},
    body = '',
  } = typeof behaviour === 'number' ? { status: behaviour } : behaviour;
  if (delayMs > 0) await sleep(delayMs);
  raw.response.writeHead(status, headers).end(body);
}

function asList(behaviour: Behaviour | [Behaviour, ...Behaviour[]]): [Behaviour, ...Behaviour[]] {
  return Array.isArray(behaviour) ? behaviour : [behaviour];
}
