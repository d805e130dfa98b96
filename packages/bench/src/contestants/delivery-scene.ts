import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '@deal-signals/db/database';
import { envelope } from '@deal-signals/outbox/record-events';
import type { BenchContext } from '../context.ts';
import { addBenchEndpoint, addWorkspace, SIGNING_SECRET } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import type { BareDelivery, LoopReport, SenderOptions } from '../floors/sender-process.ts';
import type { Publication, Published, PublisherOptions } from '../loader/publisher-process.ts';
import type { Receipt } from '../loader/receipt.ts';
import type { ReceiverOptions, ReceiverQuestion, ReceiverReply } from '../loader/receiver-process.ts';
import type { Processes } from '../measure/cpu.ts';
import type { NaiveWork, NaiveWorkerOptions } from '../naive/naive-worker-process.ts';
import type { BenchApp } from '../stack/bench-stack.ts';
import type { Child } from '../stack/child.ts';
import { requireExactly } from './require-exactly.ts';

/** Workspaces with one endpoint each, their receiver, and what publishes and sends. */
export interface DeliveryScene {
  db: Database;
  /** The workspaces, each with one endpoint of its own. */
  companies: number[];
  publisher: Child<Publication, Published>;
  receiver: Child<ReceiverQuestion, ReceiverReply>;
  sender: Child<BareDelivery[], LoopReport>;
  /** Delivers instead of the workers. */
  naive: Child<NaiveWork, object>;
  /** Starts or stops workers until there are this many with these settings; returns how many it has started. */
  setWorkers(count: number, settings: Record<string, string>): Promise<number>;
  /** The processes that deliver: publisher, workers, servers, and the receiver. */
  processes(): Processes;
  /** Events as the product would send them, for the bare loop: one for each workspace in turn. */
  bareDeliveries(companies: readonly number[], count: number): BareDelivery[];
  /** The time of the database, for `collect`. */
  now(): Promise<Date>;
  /**
   * Waits for the deliveries of the events that were captured since a time, and until their outcomes are recorded.
   *
   * @param count how many events were captured.
   * @throws Error unless each of exactly these events has arrived once at its own endpoint, with the stored bytes.
   */
  collect(since: Date, count: number): Promise<Receipt[]>;
  /** Waits for what the bare loop has sent, and checks it. */
  collectBare(sent: readonly BareDelivery[]): Promise<Receipt[]>;
  close(): Promise<void>;
}

export const ENDPOINTS = 20;
const AT_ONCE = 100;
const POOL_SIZE = 10;
const POLL_MS = 20;

/** Opens the scene in a database of its own. */
export async function openDeliveryScene(context: BenchContext, name: string): Promise<DeliveryScene> {
  const { stack } = context;
  const databaseUrl = await stack.createDatabase(name);
  const db = new Database({
    url: databaseUrl,
    poolSize: 4,
    applicationName: 'bench',
    statementTimeoutMs: 60_000,
  });
  const receiverOptions: ReceiverOptions = {
    certificateFile: stack.certificateFile,
    certificateKeyFile: stack.certificateKeyFile,
    secret: SIGNING_SECRET,
  };
  const receiver = await stack.startChild<ReceiverQuestion, ReceiverReply>(
    new URL('../loader/receiver-process.ts', import.meta.url),
    receiverOptions,
  );
  const { port } = await receiver.ask({});
  const urlOf = (companyId: number) => `https://127.0.0.1:${port}/${companyId}`;
  const companies = Array.from({ length: ENDPOINTS }, (_, n) => n + 1);
  for (const companyId of companies) {
    await addWorkspace(db, companyId);
    await addBenchEndpoint(db, companyId, urlOf(companyId));
  }
  const publisherOptions: PublisherOptions = { databaseUrl, poolSize: POOL_SIZE };
  const publisher = await stack.startChild<Publication, Published>(
    new URL('../loader/publisher-process.ts', import.meta.url),
    publisherOptions,
  );
  const senderOptions: SenderOptions = { caFile: stack.caFile, secret: SIGNING_SECRET, atOnce: AT_ONCE };
  const sender = await stack.startChild<BareDelivery[], LoopReport>(
    new URL('../floors/sender-process.ts', import.meta.url),
    senderOptions,
  );
  const naiveOptions: NaiveWorkerOptions = {
    databaseUrl,
    poolSize: POOL_SIZE,
    caFile: stack.caFile,
    secret: SIGNING_SECRET,
  };
  const naive = await stack.startChild<NaiveWork, object>(
    new URL('../naive/naive-worker-process.ts', import.meta.url),
    naiveOptions,
  );
  const workers: BenchApp[] = [];
  let running = '';

  return {
    db,
    companies,
    publisher,
    receiver,
    sender,
    naive,
    async setWorkers(count, settings) {
      const wanted = JSON.stringify(settings);
      if (wanted !== running) await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      running = wanted;
      await Promise.all(workers.splice(count).map((worker) => worker.stop()));
      const started = count - workers.length;
      while (workers.length < count) workers.push(await stack.startApp('worker', databaseUrl, settings));
      return started;
    },
    processes: () => ({
      publisher: publisher.pid,
      ...Object.fromEntries(workers.map(({ pid }, n) => [n === 0 ? 'worker' : `worker ${n + 1}`, pid])),
      PostgreSQL: stack.postgresPid,
      Redis: stack.redisPid,
      receiver: receiver.pid,
    }),
    bareDeliveries: (own, count) =>
      Array.from({ length: count }, (_, n) => {
        const eventId = randomUUID();
        const companyId = own[n % own.length]!;
        const data = { id: String(n), ...engagementEvent(companyId, `bare ${n}`, n), actor: null };
        return {
          url: urlOf(companyId),
          eventId,
          body: envelope(eventId, 'engagement.recorded', new Date(), companyId, data),
        };
      }),
    async now() {
      const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
      return row.now;
    },
    async collect(since, count) {
      const { deliveries } = await receiver.ask({ count });
      await untilRecorded(db);
      const events = await db.webhookEvent.findMany({ where: { createdAt: { gte: since } } });
      if (events.length !== count)
        throw new Error(`${count} events were captured, ${events.length} are stored`);
      requireExactly(
        new Map(events.map(({ id, companyId, body }) => [id, { path: `/${companyId}`, body }])),
        deliveries,
      );
      return deliveries;
    },
    async collectBare(sent) {
      const { deliveries } = await receiver.ask({ count: sent.length });
      requireExactly(
        new Map(sent.map(({ eventId, url, body }) => [eventId, { path: new URL(url).pathname, body }])),
        deliveries,
      );
      return deliveries;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all([publisher.stop(), receiver.stop(), sender.stop(), naive.stop()]);
      await db.close();
    },
  };
}

/** Waits until no delivery is pending. */
async function untilRecorded(db: Database): Promise<void> {
  while (
    (await db.webhookDelivery.findFirst({ where: { status: 'pending' }, select: { id: true } })) !== null
  ) {
    await sleep(POLL_MS);
  }
}
