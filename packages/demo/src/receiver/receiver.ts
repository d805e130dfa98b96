import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describeDelivery, type Envelope } from './delivery-subject.ts';
import { findSignatureProblem } from '../../../../docs/examples/verify-signature.ts';

const PATH = '/deal-signals';
/** No delivery is larger; whoever sends more is not the service. */
const MOST_BYTES = 1024 * 1024;
/** So many event ids are remembered. A real receiver keeps them in its database, where they survive a restart. */
const MOST_IDS = 10_000;
/** A sender that stops in the middle of a request is cut off. */
const REQUEST_TIMEOUT_MS = 10_000;

/** A delivery whose signature was good and that came for the first time. */
export interface VerifiedDelivery {
  verified: true;
  type: string;
  /** The event's id: the same on every retry and for every endpoint. */
  eventId: string;
  deliveryId: string;
  /** What it is about, in a few words. */
  subject: string;
  /** When the event was created. */
  createdAt: Date;
  receivedAt: Date;
}

/** A request that was refused. Nothing in it can be trusted, so nothing of it is handed on. */
export interface RefusedDelivery {
  verified: false;
  reason: string;
  receivedAt: Date;
}

export type ReceivedDelivery = VerifiedDelivery | RefusedDelivery;

export interface DemoReceiverOptions {
  /** PEM of the TLS key and certificate. */
  key: string | Buffer;
  cert: string | Buffer;
  /** Any free port when left out. */
  port?: number;
  /** Called before the answer goes out; an exception makes it a 500, so that the delivery is sent again. */
  onDelivery: (delivery: ReceivedDelivery) => void;
}

export interface DemoReceiver {
  /** Where deliveries are to be sent. */
  url: string;
  /** Makes a signing secret known; earlier ones stay good, as rotation needs. */
  addSecret: (secret: string) => void;
  /** Stops listening and waits for requests under way. */
  close: () => Promise<void>;
}

/**
 * Starts a webhook receiver on 127.0.0.1 that does what every receiver should: take the raw body, check the signature
 * before looking into it, acknowledge what it has seen before without doing it twice, acknowledge types it does not
 * know, and answer quickly.
 *
 * @throws Error of the operating system when the port is taken.
 */
export async function startDemoReceiver({
  key,
  cert,
  port = 0,
  onDelivery,
}: DemoReceiverOptions): Promise<DemoReceiver> {
  const secrets = new Set<string>();
  const seen = new Set<string>();

  /** @returns the status to answer with. */
  async function receive(request: IncomingMessage): Promise<number> {
    if (request.url !== PATH) return 404;
    if (request.method !== 'POST') return 405;
    const body = await readBody(request);
    if (body === null) return 413;

    const receivedAt = new Date();
    const header = singleHeader(request, 'x-service-signature');
    const reason = findSignatureProblem({ header, body, secrets, now: receivedAt });
    if (reason !== null) {
      onDelivery({ verified: false, reason, receivedAt });
      return 400;
    }

    // From here on the body is known to be the service's own, so its shape is the documented one.
    const envelope = JSON.parse(body.toString('utf8')) as Envelope;
    // Deliveries come at least once: a second copy is acknowledged and otherwise ignored.
    if (seen.has(envelope.id)) return 204;
    onDelivery({
      verified: true,
      type: envelope.type,
      eventId: envelope.id,
      deliveryId: singleHeader(request, 'x-service-delivery') ?? '',
      subject: describeDelivery(envelope),
      createdAt: new Date(envelope.createdAt),
      receivedAt,
    });
    // Only what was handled counts as seen; after an exception the next attempt must find it new.
    remember(seen, envelope.id);
    return 204;
  }

  const server = createServer({ key, cert, requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    receive(request).then(
      // What was not read of a refused request would be taken for the next one on a kept connection.
      (status) => response.writeHead(status, status === 204 ? {} : { connection: 'close' }).end(),
      () => response.writeHead(500, { connection: 'close' }).end(),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;

  return {
    url: `https://127.0.0.1:${actualPort}${PATH}`,
    addSecret: (secret) => void secrets.add(secret),
    async close() {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** The raw body, or null when it is too large. The signature covers these bytes and no others. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A header that may stand in a request once. */
function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}

/** Adds an id, forgetting the oldest when there are too many. */
function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MOST_IDS && oldest !== undefined) ids.delete(oldest);
}
