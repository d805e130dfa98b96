import type { Database } from '@deal-signals/db/database';
import type { Logger } from '@deal-signals/runtime/logger';
import { type Check, createReadiness } from '@deal-signals/runtime/readiness';
import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Heartbeat } from '../dispatch/heartbeat.ts';

/** Whether jobs are taken. */
export type Stage = 'starting' | 'running' | 'draining';

/** What takes and makes jobs, once there is a database. */
export interface Machinery {
  consumer: Redis;
  /** The dispatcher's and the attempts'. */
  workers: readonly [Worker, Worker];
  queues: readonly [Queue, Queue];
  heartbeat: Heartbeat;
}

/** What a worker's readiness depends on. */
export interface ReadinessContext {
  db: Database;
  producer: Redis;
  prefix: string;
  logger: Logger;
  stage: () => Stage;
  /** Undefined while the worker starts. */
  machinery: () => Machinery | undefined;
}

/** A worker's own eye on whether it can work. */
export interface ReadinessWatch {
  /** What is wrong at present, in stable words; nothing means ready. */
  failing: () => Promise<string[]>;
  stop: () => void;
}

/** How often a worker looks by itself, and how often it repeats that it cannot work. */
export interface WatchPace {
  lookMs: number;
  repeatMs: number;
}

/** However seldom anybody probes, the log knows within five seconds. */
const PACE: WatchPace = { lookMs: 5_000, repeatMs: 30_000 };
/** The key that is written to see whether Redis takes writes goes by itself. */
const WRITE_PROBE_MS = 1_000;

interface Trouble {
  /** The words as last said. */
  said: string;
  sinceMs: number;
  saidAtMs: number;
}

/**
 * Watches whether the worker can work. The log hears of every change, and hears again and again while the worker cannot:
 * however long that lasts, it never goes quiet.
 */
export function watchReadiness(context: ReadinessContext, pace: WatchPace = PACE): ReadinessWatch {
  const { logger, stage } = context;
  const look = createReadiness(checksOf(context));
  const startedAtMs = performance.now();
  // A worker that starts says so in its own words; here it is only repeated when that takes long.
  let trouble: Trouble | null = { said: 'starting', sinceMs: startedAtMs, saidAtMs: startedAtMs };
  let hasBeenReady = false;

  function tell(failing: readonly string[]): void {
    if (stage() === 'draining') return;
    const nowMs = performance.now();
    const said = failing.join();
    const durationMs = Math.round(nowMs - (trouble?.sinceMs ?? nowMs));
    if (failing.length === 0) {
      if (trouble !== null && hasBeenReady) logger.info('worker ready again', { durationMs });
      trouble = null;
      hasBeenReady = true;
    } else if (trouble === null || isNews(said) || nowMs - trouble.saidAtMs >= pace.repeatMs) {
      logger.warn('worker not ready', { failing, durationMs });
      trouble = { said, sinceMs: trouble?.sinceMs ?? nowMs, saidAtMs: nowMs };
    }
  }

  /** While the worker starts, one server after the other comes up: no news. */
  const isNews = (said: string) => stage() === 'running' && trouble?.said !== said;

  async function lookAndTell(): Promise<string[]> {
    const words = await look();
    tell(words);
    return words;
  }

  const timer = setInterval(() => void lookAndTell(), pace.lookMs).unref();
  return { failing: lookAndTell, stop: () => clearInterval(timer) };
}

function checksOf({ db, producer, prefix, stage, machinery }: ReadinessContext): Check[] {
  return [
    {
      name: 'stage',
      look: async () => (stage() === 'running' ? null : stage()),
    },
    { name: 'database', look: () => lookAtDatabase(db) },
    { name: 'redis', look: () => lookAtRedis(producer, prefix, machinery()) },
    {
      name: 'queues',
      look: async () => (stage() === 'running' ? lookAtWorkers(machinery()?.workers ?? []) : null),
    },
  ];
}

/** A server that only reads is a standby, or one that was made to: nothing can be claimed or recorded there. */
async function lookAtDatabase(db: Database): Promise<string | null> {
  const [row] = await db.$queryRaw<{ isReadOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`;
  return row?.isReadOnly === false ? null : 'database-writes';
}

/** In this order, because each question makes sense only when the ones before it were answered well. */
async function lookAtRedis(
  producer: Redis,
  prefix: string,
  machinery: Machinery | undefined,
): Promise<string | null> {
  // A command to the consumer would wait for as long as Redis is away.
  if (machinery !== undefined && machinery.consumer.status !== 'ready') return 'redis';
  await Promise.all([producer.ping(), machinery?.consumer.ping()]);
  const isWritten = await producer.set(`${prefix}:write-probe`, '1', 'PX', WRITE_PROBE_MS).then(
    () => true,
    () => false,
  );
  if (!isWritten) return 'redis-writes';
  if (machinery === undefined) return null;
  const { queues, heartbeat } = machinery;
  const paused = await Promise.all(queues.map((queue) => queue.isPaused()));
  if (paused.includes(true)) return 'queues-paused';
  return (await heartbeat.isAlive()) ? null : 'ticks';
}

function lookAtWorkers(workers: readonly Worker[]): string | null {
  return workers.every((worker) => worker.isRunning() && !worker.isPaused()) ? null : 'queues';
}
