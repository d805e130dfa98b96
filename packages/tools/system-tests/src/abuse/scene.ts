import type { Database } from '@deal-signals/db/database';
import { findFreePort } from '@deal-signals/local-stack/servers/ports';
import { CAPTURE_TOKEN } from '@deal-signals/test-kit/capture-sender';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { startTcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { publishRow } from './abuse-table.ts';
import { endAttackers } from './attacker.ts';
import { type Observation, startBystander } from './bystander.ts';

/** An API and a worker with two workspaces: the abuser's, which is the default one, and a bystander's. */
export interface AbuseScene {
  readonly db: Database;
  readonly api: RunningApp;
  readonly port: number;
  /** The base URL of the API's capture port, which takes `CAPTURE_TOKEN`. */
  readonly captureUrl: string;
  /** An API key of the abuser. */
  readonly key: string;
  /**
   * Compares what the bystander observes without and with an abuse, and publishes the row.
   * Other load on this machine slows the bystander down as well, but not in every round, while an abuse that affects others
   * does so in each round. There are up to three rounds, and the best one counts.
   *
   *
   * @param start starts the abuse. Its result ends it and describes the outcome of its author's own requests.
   * @param beside starts load that runs with and without the abuse. Its result ends it.
   */
  compare(
    abuse: string,
    start: () => Promise<() => Promise<string>>,
    beside?: () => () => Promise<void>,
  ): Promise<Comparison>;
  close(): Promise<void>;
}

export interface Comparison {
  /** How many times longer the bystander's reads take with the abuse (95th percentile). */
  readsRatio: number;
  without: Observation;
  during: Observation;
  /** The outcome of the author's requests. */
  author: string;
}

/**
 * The maximum ratio of a bystander's read times. On an idle machine it is 2 to 4, mostly because of the shared processor: two
 * cores also run PostgreSQL, the attacker and the test. A caller who occupies the pool or the event loop makes it hundreds.
 * The rows next to capture vary most, from 3 to 7.
 */
export const READS_RATIO = 20;
const ROUNDS = 3;
const CALM_MS = 8_000;
const ABUSE_MS = 8_000;

/**
 * Opens the scene.
 *
 * @param databaseDelayMs how long each response of the database takes to reach the API.
 */
export async function openAbuseScene(databaseDelayMs = 0): Promise<AbuseScene> {
  const database = await createTestDatabase();
  const proxy = await startTcpProxy(database.url);
  proxy.delayResponses(databaseDelayMs);
  const { db } = database;
  await captureWorkspace(db);
  const key = await addKey(db);
  const settings = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '200',
    LOG_LEVEL: 'warn',
  };
  const capturePort = await findFreePort(0);
  const apiSettings = {
    ...settings,
    ...(databaseDelayMs > 0 && { DATABASE_URL: proxy.url }),
    CAPTURE_PORT: String(capturePort),
    CAPTURE_TOKENS: CAPTURE_TOKEN,
  };
  const [api, worker] = await Promise.all([startApp('api', apiSettings), startApp('worker', settings)]);
  const bystander = await startBystander(db, api, worker);
  // Warms up connections, plans and compiled code, which are not part of the comparison.
  await bystander.observe(CALM_MS / 2);

  async function compareOnce(start: () => Promise<() => Promise<string>>): Promise<Comparison> {
    const without = await bystander.observe(CALM_MS);
    const stop = await start();
    const during = await bystander.observe(ABUSE_MS);
    const author = await stop();
    return { readsRatio: during.readsP95Ms / without.readsP95Ms, without, during, author };
  }

  return {
    db,
    api,
    port: Number(new URL(api.url).port),
    captureUrl: `http://127.0.0.1:${capturePort}`,
    key,
    async compare(abuse, start, beside = () => () => Promise.resolve()) {
      const endBeside = beside();
      let best = await compareOnce(start);
      for (let round = 1; round < ROUNDS && best.readsRatio > READS_RATIO; round += 1) {
        const next = await compareOnce(start);
        // A failure counts in whichever round it happens.
        next.during.failures.unshift(...best.during.failures);
        if (next.readsRatio < best.readsRatio) best = next;
        else best.during.failures = next.during.failures;
      }
      await endBeside();
      const { without, during } = best;
      await publishRow({
        abuse,
        author: best.author,
        'reads ms': Math.round(without.readsP95Ms),
        'with it': Math.round(during.readsP95Ms),
        'webhook ms': Math.round(without.webhookWorstMs),
        'with it ': Math.round(during.webhookWorstMs),
        failed: during.failures.length,
        'API MiB': during.apiMemory,
        'worker MiB': during.workerMemory,
      });
      return best;
    },
    async close() {
      endAttackers();
      await Promise.all([api.stop(), worker.stop()]);
      await bystander.close();
      await proxy.cut();
      await database.drop();
    },
  };
}

/** Summarizes the responses to an attacker's requests for the table. */
export function describeStatuses(statuses: Record<string, number>, closed: number): string {
  const words = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  if (closed > 0) words.push(`${closed} closed`);
  return words.length === 0 ? 'no response' : words.join(', ');
}
