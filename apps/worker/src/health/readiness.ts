import type { Database } from '@deal-signals/db/database';
import type { SchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { sinceLastTick } from '@deal-signals/deliveries/claims/ticks';
import type { Logger } from '@deal-signals/runtime/logger';
import { type Check, createReadiness } from '@deal-signals/runtime/readiness';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import type { Queue } from 'bullmq';
import type { AttemptConsumer } from '../attempts/consume.ts';

/** The life of a worker. It takes jobs only while it is `running`. */
export type Stage = 'starting' | 'running' | 'draining';

/** What a worker's readiness depends on. */
export interface ReadinessContext {
  db: Database;
  schema: SchemaWatch;
  queue: Queue;
  /** The connection of the queue. */
  producer: RedisClient;
  prefix: string;
  /** Time between two ticks. */
  tickMs: number;
  logger: Logger;
  stage: () => Stage;
  /** Undefined while the worker starts. */
  consumer: () => AttemptConsumer | undefined;
}

/** A worker's watch over its own readiness. */
export interface ReadinessWatch {
  /** What is wrong now, as stable words; none means ready. */
  failing: () => Promise<string[]>;
  stop: () => void;
}

/** How often a worker checks itself, and how often it repeats that it is not ready. */
export interface WatchTiming {
  lookMs: number;
  repeatMs: number;
}

/** A change is logged within five seconds, even if nobody probes. */
const PACE: WatchTiming = { lookMs: 5_000, repeatMs: 30_000 };
/** Expiry of the key that is written to check whether Redis accepts writes. */
const WRITE_PROBE_MS = 1_000;
/** Leaves time for a slow tick. */
const TICK_SLACK_MS = 10_000;

interface Trouble {
  /** The words of the last log line. */
  said: string;
  sinceMs: number;
  saidAtMs: number;
}

/**
 * Watches whether the worker can work. Every change is logged, and a worker that is not ready repeats that for as long
 * as it lasts.
 */
export function watchReadiness(context: ReadinessContext, pace: WatchTiming = PACE): ReadinessWatch {
  const { logger, stage, schema } = context;
  const look = createReadiness(checksOf(context));
  const startedAtMs = performance.now();
  // The start has log lines of its own. Here it is only repeated if it takes long.
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
      const missingMigrations = schema.missing();
      logger.warn('worker not ready', {
        failing,
        ...(missingMigrations.length > 0 && { missingMigrations }),
        durationMs,
      });
      trouble = { said, sinceMs: trouble?.sinceMs ?? nowMs, saidAtMs: nowMs };
    }
  }

  /** While the worker starts, servers come up one after the other, which is not worth a log line. */
  const isNews = (said: string) => stage() === 'running' && trouble?.said !== said;

  async function lookAndTell(): Promise<string[]> {
    const stageBefore = stage();
    const words = await look();
    // What was found while the worker started is no news of the running one.
    if (stage() === stageBefore) tell(words);
    return words;
  }

  const timer = setInterval(() => void lookAndTell(), pace.lookMs).unref();
  return { failing: lookAndTell, stop: () => clearInterval(timer) };
}

function checksOf(context: ReadinessContext): Check[] {
  const { db, schema, stage, consumer, tickMs } = context;
  const startedAtMs = performance.now();
  const whileRunning = (name: string, look: Check['look']): Check => ({
    name,
    look: async () => (stage() === 'running' ? look() : null),
  });
  return [
    {
      name: 'stage',
      look: async () => {
        if (stage() === 'running') return null;
        return stage() === 'starting' && schema.missing().length > 0 ? 'migrations' : stage();
      },
    },
    whileRunning('migrations', async () =>
      (await schema.askIfInDoubt(db)).length > 0 ? 'migrations' : null,
    ),
    {
      name: 'database',
      // A database that cannot be written to has no ticks either, which is no news.
      look: async () => (await lookAtDatabase(db)) ?? lookAtTicks(db, tickMs, startedAtMs),
    },
    { name: 'redis', look: () => lookAtRedis(context) },
    whileRunning('queues', async () => {
      const worker = consumer()?.worker;
      return worker === undefined || (worker.isRunning() && !worker.isPaused()) ? null : 'queues';
    }),
  ];
}

/** A read-only server is a standby or was set to read-only: nothing can be claimed or recorded there. */
async function lookAtDatabase(db: Database): Promise<string | null> {
  const [row] = await db.$queryRaw<{ isReadOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`;
  return row?.isReadOnly === false ? null : 'database-writes';
}

/** The checks run in this order because each one only makes sense if those before it passed. */
async function lookAtRedis({ producer, prefix, queue, consumer }: ReadinessContext): Promise<string | null> {
  // The key decides which node of a cluster is asked. The queue is on the same node.
  const key = `${prefix}:write-probe`;
  await producer.exists(key);
  const isWritten = await producer.set(key, '1', 'PX', WRITE_PROBE_MS).then(
    () => true,
    () => false,
  );
  // Before the consumer: while the server refuses writes as a replica, both connections are opened again and again.
  if (!isWritten) return 'redis-writes';
  const connection = consumer()?.connection;
  if (connection === undefined) return null;
  // A command on the consumer's connection would wait for as long as Redis is away.
  if (connection.status !== 'ready') return 'redis';
  await connection.exists(key);
  return (await queue.isPaused()) ? 'queues-paused' : null;
}

/** Whether any worker has completed a tick in the time of two, or this one has not run long enough to miss one. */
async function lookAtTicks(db: Database, tickMs: number, startedAtMs: number): Promise<string | null> {
  const mostMs = 2 * tickMs + TICK_SLACK_MS;
  if (performance.now() - startedAtMs <= mostMs) return null;
  const agoMs = await sinceLastTick(db);
  // If it is far in the future, the clock of the database has stepped back. The next tick sets it.
  return agoMs !== null && Math.abs(agoMs) <= mostMs ? null : 'ticks';
}
