import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../measure/compare.ts';
import { type Arrival, type Receipt, verifyArrival } from './receipts.ts';

// Receives deliveries over HTTPS in a process of its own. It responds at once and checks the signatures later, so that it
// uses little of the CPU time that is measured.

/** How long to wait for another delivery before the run counts as failed. */
const STALL_MS = 60_000;
const POLL_MS = 5;
/** Late duplicates arrive within this time. */
const SETTLE_MS = 100;

/** A request is the number of deliveries to wait for since the last one. The reply contains them and the port. */
export async function serve({ cert, key, secret }: { cert: string; key: string; secret: string }) {
  let arrivals: (Omit<Arrival, 'body'> & { chunks: Buffer[] })[] = [];
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      const eventId = String(headers['x-service-event-id']);
      const signature = String(headers['x-service-signature']);
      arrivals.push({ path, eventId, signature, chunks, atMs: monotonicMs() });
      response.writeHead(200, { 'Content-Length': 0 }).end();
    });
    request.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return async ({ count }: { count: number }): Promise<{ port: number; receipts: Receipt[] }> => {
    let seen = arrivals.length;
    let lastChangeMs = monotonicMs();
    while (arrivals.length < count) {
      await sleep(POLL_MS);
      if (arrivals.length > seen) lastChangeMs = monotonicMs();
      seen = arrivals.length;
      if (monotonicMs() - lastChangeMs > STALL_MS)
        throw new Error(`only ${seen} of ${count} deliveries arrived`);
    }
    if (count > 0) await sleep(SETTLE_MS);
    const received = arrivals;
    arrivals = [];
    const receipts = received.map(({ chunks, ...arrival }) =>
      verifyArrival({ ...arrival, body: Buffer.concat(chunks).toString() }, secret),
    );
    return { port, receipts };
  };
}
