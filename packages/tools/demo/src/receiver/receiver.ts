import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  receiveDeliveries,
  type Envelope,
} from '../../../../../docs/examples/receiver/receive-deliveries.mts';
import { describeDelivery } from './delivery-subject.ts';

const PATH = '/deal-signals';
/** How many event ids to remember. A real receiver keeps them in its database, where they survive a restart. */
const MAX_IDS = 10_000;
/** Cuts off a sender that stops in the middle of a request. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * A delivery with a valid signature whose event has not been received before, with a short description for people; or a
 * request without a valid signature. Nothing in such a request can be trusted, so none of it is passed on.
 */
export type ReceivedDelivery =
  | {
      verified: true;
      type: string;
      eventId: string;
      deliveryId: string;
      subject: string;
      createdAt: Date;
      receivedAt: Date;
    }
  | { verified: false; reason: string; receivedAt: Date };

export interface DemoReceiverOptions {
  /** PEM of the TLS key and certificate. */
  key: string | Buffer;
  cert: string | Buffer;
  /** Any free port by default. */
  port?: number;
  /** Called before the response is sent. If it throws, the response is a 500 and the delivery is sent again. */
  onDelivery: (delivery: ReceivedDelivery) => void;
}

export interface DemoReceiver {
  /** The URL to register as an endpoint. */
  url: string;
  /** Accepts an additional signing secret. Earlier ones stay valid, which a rotation needs. */
  addSecret: (secret: string) => void;
  /** Stops listening and waits for open requests. */
  close: () => Promise<void>;
}

/**
 * Starts a webhook receiver on 127.0.0.1. It is the example of `docs/examples/receiver`, served over HTTPS on one path,
 * with its inbox in memory.
 *
 * @throws the operating system's Error if the port is taken.
 */
export async function startDemoReceiver({
  key,
  cert,
  port = 0,
  onDelivery,
}: DemoReceiverOptions): Promise<DemoReceiver> {
  const secrets = new Set<string>();
  const seen = new Set<string>();

  function store(envelope: Envelope, request: IncomingMessage): void {
    if (seen.has(envelope.id)) return;
    onDelivery({
      verified: true,
      type: envelope.type,
      eventId: envelope.id,
      deliveryId: String(request.headers['x-service-delivery'] ?? ''),
      subject: describeDelivery(envelope),
      createdAt: new Date(envelope.createdAt),
      receivedAt: new Date(),
    });
    // Must follow onDelivery: if that throws, the next attempt must be handled.
    seen.add(envelope.id);
    // A set keeps insertion order, so the first id is the oldest.
    if (seen.size > MAX_IDS) seen.delete(seen.values().next().value!);
  }

  const onRefused = (reason: string) => onDelivery({ verified: false, reason, receivedAt: new Date() });
  const handleDelivery = receiveDeliveries({ secrets, store, onRefused });
  const server = createServer({ key, cert, requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (request.url === PATH) handleDelivery(request, response);
    else response.writeHead(404, { connection: 'close' }).end();
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
