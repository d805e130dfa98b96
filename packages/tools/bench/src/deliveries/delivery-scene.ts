import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { envelope } from '@deal-signals/outbox/record-events';
import type { Processes } from '../measure/cpu.ts';
import { openDeliveryWorkspaces, SIGNING_SECRET } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import type { BenchApp, BenchStack } from '../stack/bench-stack.ts';
import type { serve as serveBareLoop } from './bare-loop.ts';
import type { Publication, Published, serve as servePublisher } from './publisher.ts';
import { type Receipt, requireExactly } from './receipts.ts';
import type { serve as serveReceiver } from './receiver.ts';

/** What was published, and the receipts of its deliveries. */
export interface Delivered<Sent> {
  sent: Sent;
  receipts: Receipt[];
}

/** Workspaces with one endpoint each, their receiver, and the processes that publish and send. */
export interface DeliveryScene {
  companies: number[];
  /** Starts or stops workers until `count` are running. Returns how many it started. */
  setWorkers(count: number): Promise<number>;
  /** The processes involved in a delivery: publisher, workers, servers, and receiver. */
  processes(): Processes;
  /**
   * Publishes events, and waits until they are delivered and their outcomes recorded.
   *
   * @throws Error unless each of exactly these events arrived once at its own endpoint, with the stored bytes.
   */
  publish(publication: Omit<Publication, 'name'>): Promise<Delivered<Published>>;
  bareProcesses: Processes;
  /** Sends the same number of events by the bare loop, to the workspaces in turn, and waits for them. */
  sendBare(count: number): Promise<Delivered<{ startedMs: number }>>;
  close(): Promise<void>;
}

export const ENDPOINTS = 20;
const POOL_SIZE = 10;
const POLL_MS = 20;

/** Opens the scene in a database of its own. */
export async function openDeliveryScene(
  stack: BenchStack,
  name: string,
  workerSettings: Record<string, string>,
): Promise<DeliveryScene> {
  const { databaseUrl, db, add } = await openDeliveryWorkspaces(stack, name);
  const receiver = await stack.startChild<typeof serveReceiver>('deliveries/receiver.ts', {
    ...stack.certificate,
    secret: SIGNING_SECRET,
  });
  const { port } = await receiver.call({ count: 0 });
  const urlOf = (companyId: number) => `https://127.0.0.1:${port}/${companyId}`;
  const companies = Array.from({ length: ENDPOINTS }, (_, n) => n + 1);
  for (const companyId of companies) await add(companyId, [urlOf(companyId)]);
  const publisher = await stack.startChild<typeof servePublisher>('deliveries/publisher.ts', {
    databaseUrl,
    poolSize: POOL_SIZE,
  });
  const loop = await stack.startChild<typeof serveBareLoop>('deliveries/bare-loop.ts', {
    caFile: stack.caFile,
    secret: SIGNING_SECRET,
  });
  const workers: BenchApp[] = [];
  let publications = 0;

  return {
    companies,
    async setWorkers(count) {
      await Promise.all(workers.splice(count).map((worker) => worker.stop()));
      const started = count - workers.length;
      while (workers.length < count)
        workers.push(await stack.startApp('worker', databaseUrl, workerSettings));
      return started;
    },
    processes: () => ({
      publisher: publisher.pid,
      ...Object.fromEntries(workers.map(({ pid }, n) => [n === 0 ? 'worker' : `worker ${n + 1}`, pid])),
      ...stack.servers,
      receiver: receiver.pid,
    }),
    async publish(publication) {
      const [{ now }] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
      const sent = await publisher.call({ ...publication, name: `publication ${(publications += 1)}` });
      const count = publication.count - sent.failures.length;
      const { receipts } = await receiver.call({ count });
      while ((await db.pendingDelivery.findFirst({ select: { id: true } })) !== null) await sleep(POLL_MS);
      const events = await db.webhookEvent.findMany({ where: { createdAt: { gte: now } } });
      if (events.length !== count)
        throw new Error(`${count} events were captured, but ${events.length} are stored`);
      const expected = events.map(
        ({ id, companyId, body }) => [id, { path: `/${companyId}`, body }] as const,
      );
      requireExactly(new Map(expected), receipts);
      return { sent, receipts };
    },
    bareProcesses: { loop: loop.pid, receiver: receiver.pid },
    async sendBare(count) {
      const bare = Array.from({ length: count }, (_, n) => {
        const eventId = randomUUID();
        const companyId = companies[n % companies.length]!;
        const data = { id: String(n), ...engagementEvent(companyId, `bare ${n}`, n), actor: null };
        const body = envelope(eventId, 'engagement.recorded', new Date(), companyId, data);
        return { url: urlOf(companyId), eventId, body };
      });
      const sent = await loop.call(bare);
      const { receipts } = await receiver.call({ count });
      const expected = bare.map(
        ({ eventId, url, body }) => [eventId, { path: new URL(url).pathname, body }] as const,
      );
      requireExactly(new Map(expected), receipts);
      return { sent, receipts };
    },
    async close() {
      await Promise.all([...workers, publisher, receiver, loop].map((one) => one.stop()));
      await db.close();
    },
  };
}
