import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@deal-signals/db/database';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/tcp-proxy';
import { createTestDatabase } from '@deal-signals/test-kit/test-database';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { type Load, startLoad } from './load.ts';
import { type SceneRedis, startSceneRedis } from './scene-redis.ts';
import { startWatchedReceiver, type WatchedReceiver } from './watched-receiver.ts';
import { captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';

/** What one fault happens to: servers, a receiver and processes that nobody else uses. */
export interface Scene {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly redis: SceneRedis;
  readonly receiver: WatchedReceiver;
  /** The endpoint of the receiver. */
  readonly endpointId: number;
  /** Where the scene's servers keep what they have. */
  readonly folder: string;
  /** Starts to capture engagement events; ended with the scene at the latest. */
  startLoad(): Load;
  /** Starts a worker of this scene; `env` comes on top of what makes its time pass fast. */
  startWorker(env?: Record<string, string>): Promise<RunningApp>;
  /** Puts a proxy in front of one of the scene's servers; ended with the scene. */
  startProxy(url: string): Promise<TcpProxy>;
  /** Starts an API of this scene; `env` as for a worker. */
  startApi(env?: Record<string, string>): Promise<RunningApp>;
  /** Ends the workers that still run, in order, and gives their exit codes. */
  stopWorkers(): Promise<(number | null)[]>;
  /** @throws Error with the end of its log when a worker has ended that nobody ended. */
  close(): Promise<void>;
}

/** A database of a scene, wherever it is. */
export interface SceneDatabase {
  readonly url: string;
  readonly db: Database;
  drop(): Promise<void>;
}

/**
 * A lease is three times as long, and some scenes wait for the end of one. A shorter timeout would run out by itself on a
 * busy machine, and be taken for what the fault did.
 */
const RECEIVER_TIMEOUT_MS = 5_000;

/** For a scene in which the receiver holds its responses: no attempt times out before the scene lets it go on. */
export const PATIENT = { WEBHOOK_TIMEOUT_MS: '60000' };

const FAST = {
  DISPATCH_TICK_MS: '100',
  WEBHOOK_TIMEOUT_MS: String(RECEIVER_TIMEOUT_MS),
  WEBHOOK_RETRY_SCHEDULE_MS: '100',
  WEBHOOK_MAX_ATTEMPTS: '100',
  // A receiver that is made to fail shall not end the test by that.
  WEBHOOK_DISABLE_AFTER: '1000000',
};

const CRASH_CHARACTERS_SHOWN = 3_000;

/** A folder of the test run for a server; the run ends what is left running in it. */
export async function serverFolder(): Promise<string> {
  const folder = path.join(currentTestRun().folder, 'servers', randomUUID());
  await mkdir(folder, { recursive: true });
  return folder;
}

/**
 * Sets a scene: a workspace with an endpoint, and no worker yet.
 *
 * @param openDatabase gives the database, a new one of the run's PostgreSQL unless told otherwise.
 */
export async function openScene(
  openDatabase: () => Promise<SceneDatabase> = createTestDatabase,
): Promise<Scene> {
  const folder = await serverFolder();
  const [database, redis, receiver] = await Promise.all([
    openDatabase(),
    startSceneRedis(folder),
    startWatchedReceiver(),
  ]);
  const { db, url: databaseUrl } = database;
  await captureWorkspace(db);
  const endpointId = await addEndpoint(db, { url: receiver.url, events: ['engagement.recorded'] });
  const workers = new Set<RunningApp>();
  const crashes: string[] = [];
  const loads: Load[] = [];
  const proxies: TcpProxy[] = [];
  const servers = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };

  async function watch(worker: RunningApp): Promise<void> {
    const { exitCode, signal } = await worker.exited;
    workers.delete(worker);
    if (exitCode !== 0 && signal !== 'SIGKILL') crashes.push(worker.output().slice(-CRASH_CHARACTERS_SHOWN));
  }

  return {
    databaseUrl,
    db,
    redis,
    receiver,
    endpointId,
    folder,
    startLoad() {
      const load = startLoad(db);
      loads.push(load);
      return load;
    },
    async startWorker(env = {}) {
      const worker = await startApp('worker', { ...servers, ...FAST, ...env });
      workers.add(worker);
      void watch(worker);
      return worker;
    },
    async startProxy(url) {
      const proxy = await startTcpProxy(url);
      proxies.push(proxy);
      return proxy;
    },
    startApi: (env = {}) => startApp('api', { ...servers, ...FAST, ...env }),
    stopWorkers: () => Promise.all([...workers].map((worker) => worker.stop())),
    async close() {
      await Promise.all([...workers].map((worker) => worker.kill9()));
      await Promise.all(loads.map((load) => load.stop()));
      await Promise.all(proxies.map((proxy) => proxy.cut()));
      await Promise.all([receiver.close(), redis.stop(), database.drop()]);
      if (crashes.length > 0) throw new Error(`A worker ended by itself:\n${crashes.join('\n')}`);
    },
  };
}
