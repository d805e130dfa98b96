import type { IncomingMessage, RequestListener } from 'node:http';
import { findSignatureProblem } from './verify-signature.mts';

/** Stop reading here, so that a stranger cannot fill the memory. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The body of a delivery. */
export interface Envelope {
  /** Identifies the event: the same in every attempt and for every endpoint. */
  id: string;
  type: string;
  apiVersion: string;
  createdAt: string;
  companyId: number;
  /** Its shape depends on `type`. */
  data: object;
}

export interface DeliveryHandlers {
  /** The signing secrets to accept. */
  secrets: Iterable<string>;
  /**
   * Stores an event unless its id is already stored. Called before the response is sent: if it throws, the response is
   * a 500 and the delivery is sent again.
   */
  store: (envelope: Envelope, request: IncomingMessage) => void | Promise<void>;
  /** Called with the reason when a signature is not valid. Nothing else in such a request can be trusted. */
  onRefused: (reason: string) => void;
}

/** Handles the requests of a `node:http` or `node:https` server. */
export function receiveDeliveries(handlers: DeliveryHandlers): RequestListener {
  return (request, response) => {
    receive(request, handlers).then(
      // After a refusal the body may be half read, so the connection cannot be used again.
      (status) => response.writeHead(status, status === 204 ? {} : { connection: 'close' }).end(),
      (error: unknown) => {
        console.error(error);
        response.writeHead(500, { connection: 'close' }).end();
      },
    );
  };
}

/** Returns the status of the response. */
async function receive(
  request: IncomingMessage,
  { secrets, store, onRefused }: DeliveryHandlers,
): Promise<number> {
  if (request.method !== 'POST') return 405;
  const body = await readBody(request);
  if (body === null) return 413;
  const header = String(request.headers['x-service-signature'] ?? '');
  const problem = findSignatureProblem({ header, body, secrets });
  if (problem !== null) {
    onRefused(problem);
    return 400;
  }
  // Parse only now: the signature proves that the service wrote this body.
  await store(JSON.parse(body.toString()) as Envelope, request);
  return 204;
}

/** Returns the raw body, which is what the signature covers, or null if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
