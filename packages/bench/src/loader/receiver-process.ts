import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../measure/monotonic.ts';
import { optionsOfParent, serveParent } from '../stack/child.ts';
import { type Arrival, type Receipt, verifyArrival } from './receipt.ts';

// Receives deliveries over HTTPS in a process of its own. It responds at once and checks the signatures later, so that it
// takes little from what is measured.

/** What the receiver needs to know. */
export interface ReceiverOptions {
  certificateFile: string;
  certificateKeyFile: string;
  secret: string;
}

/** `port`: asks for the port. `count`: waits for this many deliveries since the last question, and returns them. */
export interface ReceiverQuestion {
  count?: number;
}

export interface ReceiverReply {
  port: number;
  deliveries: Receipt[];
}

/** How long to wait for another delivery before the run counts as failed. */
const STALL_MS = 60_000;
const POLL_MS = 5;
/** Late duplicates arrive within this time. */
const SETTLE_MS = 100;

const options = optionsOfParent() as ReceiverOptions;
let arrivals: Arrival[] = [];

const server = createServer(
  { cert: readFileSync(options.certificateFile), key: readFileSync(options.certificateKeyFile) },
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      arrivals.push({
        path,
        eventId: String(headers['x-service-event-id']),
        signature: String(headers['x-service-signature']),
        chunks,
        atMs: monotonicMs(),
      });
      response.writeHead(200, { 'Content-Length': 0 }).end();
    });
    request.on('error', () => {});
  },
);
server.keepAliveTimeout = 60_000;

async function collect(count: number): Promise<Receipt[]> {
  let seen = arrivals.length;
  let lastChangeMs = monotonicMs();
  while (arrivals.length < count) {
    await sleep(POLL_MS);
    if (arrivals.length > seen) lastChangeMs = monotonicMs();
    seen = arrivals.length;
    if (monotonicMs() - lastChangeMs > STALL_MS) {
      throw new Error(`only ${seen} of ${count} deliveries have arrived`);
    }
  }
  await sleep(SETTLE_MS);
  const received = arrivals;
  arrivals = [];
  return received.map((arrival) => verifyArrival(arrival, options.secret));
}

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
serveParent(async ({ count }: ReceiverQuestion): Promise<ReceiverReply> => ({
  port,
  deliveries: count === undefined ? [] : await collect(count),
}));
