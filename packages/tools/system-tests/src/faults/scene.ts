import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@deal-signals/db/database';
import { type RunningApp, startApp, type StartAppOptions } from '@deal-signals/test-kit/processes';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { type Load, startLoad } from './load.ts';
import { type SceneRedis, startSceneRedis } from './scene-redis.ts';
import { startWatchedReceiver, type WatchedReceiver } from './watched-receiver.ts';

/** The servers, the receiver and the processes of one test. No other test uses them. */
export interface Scene {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly redis: SceneRedis;
  readonly receiver: WatchedReceiver;
  /** The endpoint of the receiver. */
  readonly endpointId: number;
  /** The folder of the scene's servers. */
  readonly folder: string;
  /** The times at which `faultOver` was called. */
  readonly faultEnds: readonly Date[];
  /**
   * Records that a fault is over, so that the table shows how long the recovery took. For a fault without an end, such as the
   * loss of a server or a process, call this when it has happened.
   */
  faultOver(): void;
  /** Starts capturing engagement events. Closing the scene stops it. */
  startLoad(): Load;
  /** Starts a worker. `env` is added to the settings that shorten its intervals. */
  startWorker(env?: Record<string, string>, options?: StartAppOptions): Promise<RunningApp>;
  /** Starts a proxy in front of one of the scene's servers. Closing the scene stops it. */
  startProxy(url: string): Promise<TcpProxy>;
  /** Starts an API. `env` is as for a worker. */
  startApi(env?: Record<string, string>, options?: StartAppOptions): Promise<RunningApp>;
  /** Stops the workers that are still running, gracefully. Returns their exit codes. */
  stopWorkers(): Promise<(number | null)[]>;
  /**
   * Stops everything that belongs to the scene.
   *
   * @throws Error with the end of its log if a worker ended without being stopped.
   */
  close(): Promise<void>;
}

/** The database of a scene, on any server. */
export interface SceneDatabase {
  readonly url: string;
  readonly db: Database;
  drop(): Promise<void>;
}

/**
 * Long enough that no attempt times out on a busy machine, which would look like an effect of the fault. Short enough to wait
 * for the end of a lease, which is three times as long.
 */
const RECEIVER_TIMEOUT_MS = 5_000;

/** For scenes whose receiver holds its responses: no attempt times out before the test releases it. */
export const PATIENT = { WEBHOOK_TIMEOUT_MS: '60000' };

const FAST = {
  DISPATCH_TICK_MS: '100',
  WEBHOOK_TIMEOUT_MS: String(RECEIVER_TIMEOUT_MS),
  WEBHOOK_RETRY_SCHEDULE_MS: '100',
  WEBHOOK_MAX_ATTEMPTS: '100',
  // A receiver that fails on purpose must not get its endpoint disabled.
  WEBHOOK_DISABLE_MIN_OUTAGE_MS: String(30 * 86_400_000),
};

const CRASH_CHARACTERS_SHOWN = 3_000;

/** Creates a folder for a server. The end of the test run stops the processes in it. */
export async function serverFolder(): Promise<string> {
  const folder = path.join(currentTestRun().folder, 'servers', randomUUID());
  await mkdir(folder, { recursive: true });
  return folder;
}

/**
 * Opens a scene: a workspace with an endpoint, and no worker yet.
 *
 * @param openDatabase opens the database; by default, a new one on the PostgreSQL of the test run.
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
  const faultEnds: Date[] = [];
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
    faultEnds,
    faultOver() {
      faultEnds.push(new Date());
    },
    startLoad() {
      const load = startLoad(db);
      loads.push(load);
      return load;
    },
    async startWorker(env = {}, options = {}) {
      const worker = await startApp('worker', { ...servers, ...FAST, ...env }, options);
      workers.add(worker);
      void watch(worker);
      return worker;
    },
    async startProxy(url) {
      const proxy = await startTcpProxy(url);
      proxies.push(proxy);
      return proxy;
    },
    startApi: (env = {}, options = {}) => startApp('api', { ...servers, ...FAST, ...env }, options),
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
