import path from 'node:path';
import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import type { Database } from '@deal-signals/db/database';
import { type DeliveryWorkspaces, openDeliveryWorkspaces } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import { recordStatements } from '../data/statements.ts';
import type { serve as servePublisher } from '../deliveries/publisher.ts';
import type { Processes } from '../measure/cpu.ts';
import { compare, type Sample, timed } from '../measure/compare.ts';
import type { Row } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';
import type { Child } from '../stack/child.ts';
import type { RecordedCapture, serve as serveReplays } from './replay.ts';

const WRITERS = 20;
const POOL_SIZE = 10;
const EVENTS_PER_TRANSACTION = 1_000;
/** Workspaces for the bulk capture, and the workspaces that their rows are copied into, with or without a subscriber. */
const BULK = [
  { subscribers: 'no subscriber', from: 101, to: 102, target: 0.25 },
  { subscribers: 'one subscriber', from: 103, to: 104, target: 0.12 },
];

/** Workspaces to capture into, the capturing process, and its floor. Nothing is delivered. */
interface CaptureScene extends DeliveryWorkspaces {
  publisher: Child<typeof servePublisher>;
  replayer: Child<typeof serveReplays>;
}

/** Measures capture, both with one event per transaction and in bulk. */
export async function measureCaptures(context: BenchContext): Promise<Row[]> {
  const { stack, options, say } = context;
  const workspaces = await openDeliveryWorkspaces(stack, 'capture');
  const { databaseUrl, db, add } = workspaces;
  const recorded: RecordedCapture[] = [];
  for (let companyId = 1; companyId <= WRITERS; companyId += 1) {
    await add(companyId);
    recorded.push(await recordCapture(db, companyId));
  }
  for (const { subscribers, from, to } of BULK)
    for (const companyId of [from, to])
      await add(companyId, subscribers === 'no subscriber' ? [] : undefined);
  const childOptions = { databaseUrl, poolSize: POOL_SIZE };
  const publisher = await stack.startChild<typeof servePublisher>('deliveries/publisher.ts', childOptions);
  const replayer = await stack.startChild<typeof serveReplays>('captures/replay.ts', childOptions);
  const scene = { ...workspaces, publisher, replayer };
  say('capture: warming up');
  await publish(scene, recorded.length, options.warmUp);
  await replayer.call({ name: newName(), captures: recorded, count: options.warmUp });
  const rows: Row[] = [];
  for (const writers of [1, WRITERS])
    rows.push(...(await measureSingles(context, scene, recorded.slice(0, writers))));
  for (const bulk of BULK) rows.push(...(await measureBulk(context, scene, bulk)));
  await Promise.all([publisher.stop(), replayer.stop()]);
  await db.close();
  return rows;
}

let names = 0;

/** Returns a name that no earlier publication has. */
const newName = (): string => `run ${(names += 1)}`;

/** Captures one event after another in the first workspaces. */
async function publish(
  { publisher }: CaptureScene,
  workspaces: number,
  count: number,
): Promise<{ ms: number }> {
  const companies = Array.from({ length: workspaces }, (_, n) => n + 1);
  const published = await publisher.call({ name: newName(), companies, count, mode: 'one by one' });
  if (published.failures.length > 0) throw new Error(`a capture failed: ${published.failures[0]}`);
  return { ms: published.endedMs - published.startedMs };
}

async function recordCapture(db: Database, companyId: number): Promise<RecordedCapture> {
  const key = `recorded of workspace ${companyId}`;
  const capture = (name: string) =>
    captureRecords(db, [captureRecord.parse(engagementEvent(companyId, name, 0))]);
  // The first capture opens connections and fills caches.
  await capture('first');
  const statements = await recordStatements(() => capture(key));
  const { id: eventId, createdAt } = await db.webhookEvent.findFirstOrThrow({
    where: { companyId },
    orderBy: { createdAt: 'desc' },
  });
  return { statements, key, eventId, clockMs: String(createdAt.getTime()) };
}

/** Measures transactions of one event, as fast as the writers can send them, next to the same statements sent by the floor. */
async function measureSingles(
  context: BenchContext,
  scene: CaptureScene,
  captures: RecordedCapture[],
): Promise<Row[]> {
  const { stack, options } = context;
  const { db, publisher, replayer } = scene;
  const { PostgreSQL } = stack.servers;
  const writers = captures.length;
  const title = `capture, one event a transaction, ${writers} ${writers === 1 ? 'writer' : 'writers'}`;
  const units = options.singles;

  /** Runs a turn, and checks how many events and webhook events it stored. */
  const turn = (processes: Processes, run: () => Promise<{ ms: number }>) => async (): Promise<Sample> => {
    const before = await countStored(db);
    const sample = await timed({ ...processes, PostgreSQL }, async () => ({ units, ...(await run()) }));
    const added = (await countStored(db)).map((total, n) => total - before[n]!);
    if (added.some((rows) => rows !== units))
      throw new Error(`${title}: ${units} events were captured, but ${added.join(', ')} rows are stored`);
    return sample;
  };
  return compare(context, {
    group: 'capture',
    path: title,
    unit: 'captures/s',
    rounds: options.rounds,
    contestants: [
      {
        name: 'product',
        run: turn({ publisher: publisher.pid }, () => publish(scene, writers, units)),
        to: 'floor',
        targets: [['ratio', '≥', 0.5]],
      },
      {
        name: 'floor',
        run: turn({ floor: replayer.pid }, () => replayer.call({ name: newName(), captures, count: units })),
        notes: [`The floor sends the same ${captures[0]!.statements.length} statements.`],
      },
    ],
  });
}

async function countStored(db: Database): Promise<number[]> {
  return [await db.engagementEvent.count(), await db.webhookEvent.count()];
}

/** Measures transactions of 1,000 events next to COPY of the rows that they write. */
async function measureBulk(
  context: BenchContext,
  { db, publisher }: CaptureScene,
  { subscribers, from, to, target }: (typeof BULK)[number],
): Promise<Row[]> {
  const { dataFolder, servers } = context.stack;
  const { bulk: count, rounds } = context.options;
  const { PostgreSQL } = servers;
  const tables = ['engagement_events'];
  if (subscribers !== 'no subscriber') tables.push('webhook_events', 'pending_deliveries');

  const capture = async (name: string) => {
    const mode = { perTransaction: EVENTS_PER_TRANSACTION };
    await publisher.call({ name, companies: [from], count, mode });
    return { units: count };
  };
  /**
   * Captures events and writes their rows to files as rows of another workspace. Returns the statements that copy the
   * files.
   */
  async function capturedRows(): Promise<string[]> {
    const [{ now }] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    const name = newName();
    await capture(name);
    const { id } = (await db.webhookEndpoint.findFirst({ where: { companyId: to } })) ?? { id: null };
    const ofTarget = JSON.stringify({ company_id: to, ...(id !== null && { endpoint_id: id }) });
    const reads: string[] = [];
    for (const table of tables) {
      const isNew =
        table === 'engagement_events' ? `key LIKE '${name} %'` : `created_at >= '${now.toISOString()}'`;
      const file = path.join(dataFolder, `${table}.copy`);
      await db.$executeRawUnsafe(
        `COPY (SELECT copied.* FROM ${table} AS captured, jsonb_populate_record(captured, '${ofTarget}') AS copied
               WHERE captured.company_id = ${from} AND captured.${isNew}) TO '${file}'`,
      );
      reads.push(`COPY ${table} FROM '${file}'`);
    }
    return reads;
  }

  return compare(context, {
    group: 'capture',
    path: `capture of ${count.toLocaleString('en')} events, ${subscribers}`,
    unit: 'events/s',
    rounds,
    contestants: [
      {
        name: 'product',
        run: () => timed({ publisher: publisher.pid, PostgreSQL }, () => capture(newName())),
        to: 'COPY',
        targets: [['ratio', '≥', target]],
      },
      {
        name: 'COPY',
        async run() {
          const reads = await capturedRows();
          return timed({ PostgreSQL }, async () => {
            const copied = await db.$transaction(reads.map((read) => db.$executeRawUnsafe(read)));
            // A wrong number of rows means that the product did not store what it should have.
            if (copied.some((rows) => rows !== count)) throw new Error(`copied ${copied.join(', ')} rows`);
            return { units: count };
          });
        },
      },
    ],
  });
}
