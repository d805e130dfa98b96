import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import { Database } from '@deal-signals/db/database';
import type { BenchContext } from '../context.ts';
import { addBenchEndpoint, addWorkspace } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import type { CopyOptions, CopyQuestion, CopyReport } from '../floors/copy-process.ts';
import { recordStatements } from '../floors/recorded-statements.ts';
import type { RecordedCapture, Replay, ReplayOptions, ReplayReport } from '../floors/replay-process.ts';
import type { Publication, Published, PublisherOptions } from '../loader/publisher-process.ts';
import type { Child } from '../stack/child.ts';

/** Workspaces to capture into, what captures, and its floors. Nothing is delivered. */
export interface CaptureScene {
  db: Database;
  /** Workspaces with one subscriber each. */
  companies: number[];
  /** What the product sends for one event, for each of `companies`. */
  recorded: RecordedCapture[];
  /** Workspaces for the bulk capture, with or without a subscriber, and those that their rows are copied into. */
  bulk: Record<'no subscriber' | 'one subscriber', { from: number; to: number; toEndpoint: number | null }>;
  publisher: Child<Publication, Published>;
  replayer: Child<Replay, ReplayReport>;
  copier: Child<CopyQuestion, CopyReport>;
  close(): Promise<void>;
}

export const WRITERS = 20;
const POOL_SIZE = 10;
const NOWHERE = 'https://127.0.0.1:1/';

/** Opens the scene in a database of its own. */
export async function openCaptureScene({ stack }: BenchContext): Promise<CaptureScene> {
  const databaseUrl = await stack.createDatabase('capture');
  const db = new Database({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'bench',
    statementTimeoutMs: 600_000,
  });
  const companies = Array.from({ length: WRITERS }, (_, n) => n + 1);
  const recorded: RecordedCapture[] = [];
  for (const companyId of companies) {
    await addWorkspace(db, companyId);
    await addBenchEndpoint(db, companyId, NOWHERE);
    recorded.push(await recordCapture(db, companyId));
  }
  const [from, to, subscribed, toSubscribed] = [101, 102, 103, 104] as const;
  for (const companyId of [from, to, subscribed, toSubscribed]) await addWorkspace(db, companyId);
  await addBenchEndpoint(db, subscribed, NOWHERE);
  const toEndpoint = await addBenchEndpoint(db, toSubscribed, NOWHERE);

  const publisherOptions: PublisherOptions = { databaseUrl, poolSize: POOL_SIZE };
  const replayOptions: ReplayOptions = { databaseUrl, poolSize: POOL_SIZE };
  const copyOptions: CopyOptions = { databaseUrl, folder: stack.folder };
  const publisher = await stack.startChild<Publication, Published>(
    new URL('../loader/publisher-process.ts', import.meta.url),
    publisherOptions,
  );
  const replayer = await stack.startChild<Replay, ReplayReport>(
    new URL('../floors/replay-process.ts', import.meta.url),
    replayOptions,
  );
  const copier = await stack.startChild<CopyQuestion, CopyReport>(
    new URL('../floors/copy-process.ts', import.meta.url),
    copyOptions,
  );
  return {
    db,
    companies,
    recorded,
    bulk: {
      'no subscriber': { from, to, toEndpoint: null },
      'one subscriber': { from: subscribed, to: toSubscribed, toEndpoint },
    },
    publisher,
    replayer,
    copier,
    async close() {
      await Promise.all([publisher.stop(), replayer.stop(), copier.stop()]);
      await db.close();
    },
  };
}

async function recordCapture(db: Database, companyId: number): Promise<RecordedCapture> {
  const key = `recorded of workspace ${companyId}`;
  const capture = (name: string) =>
    captureRecords(db, [captureRecord.parse(engagementEvent(companyId, name, 0))]);
  // The first capture opens connections and reads what is then known.
  await capture('first');
  const statements = await recordStatements(() => capture(key));
  const { id: eventId, createdAt } = await db.webhookEvent.findFirstOrThrow({
    where: { companyId },
    orderBy: { createdAt: 'desc' },
  });
  return { statements, key, eventId, clockMs: String(createdAt.getTime()) };
}
