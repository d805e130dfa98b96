import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { engagementEvent } from '../data/engagement-event.ts';
import type { BenchStack } from '../stack/bench-stack.ts';

/** What one turn of load has measured, in milliseconds. */
export interface Latencies {
  /** From the call of the capture to its commit. */
  captures: number[];
  /** From the time of the event to the end of its attempt. */
  deliveries: number[];
}

/** Accepts everything. */
export async function startReceiver(stack: BenchStack): Promise<{ url: string; close: () => void }> {
  const [cert, key] = await Promise.all([
    readFile(stack.certificateFile),
    readFile(stack.certificateKeyFile),
  ]);
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().once('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Captures single events at a pace, to one workspace after the other, and waits until all of them have been delivered. The next
 * capture begins at its time whether or not the last one has ended.
 *
 * @throws Error if a capture fails, or if a delivery does not arrive within two minutes.
 */
export async function putUnderLoad(
  db: Database,
  {
    turn,
    workspaces,
    seconds,
    perSecond,
  }: { turn: string; workspaces: number; seconds: number; perSecond: number },
): Promise<Latencies> {
  const captures: number[] = [];
  const [{ last }] = await db.$queryRaw<[{ last: bigint }]>`SELECT max(id) AS last FROM webhook_deliveries`;
  const startedMs = performance.now();
  const running: Promise<void>[] = [];
  const count = seconds * perSecond;
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, startedMs + (n * 1_000) / perSecond - performance.now()));
    running.push(
      (async () => {
        const record = captureRecord.parse(engagementEvent(1 + (n % workspaces), `${turn} ${n}`, n));
        const beganMs = performance.now();
        await captureRecords(db, [record]);
        captures.push(performance.now() - beganMs);
      })(),
    );
  }
  await Promise.all(running);
  const deadlineMs = performance.now() + 120_000;
  for (;;) {
    const rows = await db.$queryRaw<{ ms: number | null }[]>`
      SELECT 1000 * extract(epoch FROM delivered_at - created_at)::float8 AS ms
      FROM webhook_deliveries WHERE id > ${last}`;
    const deliveries = rows.flatMap(({ ms }) => (ms === null ? [] : [ms]));
    if (rows.length === count && deliveries.length === count) return { captures, deliveries };
    if (performance.now() > deadlineMs) {
      throw new Error(`${deliveries.length} of ${rows.length} deliveries have arrived, of ${count} events`);
    }
    await sleep(500);
  }
}
