import type { Database } from '@deal-signals/db/database';
import type { SchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { sinceLastTick } from '@deal-signals/deliveries/claims/ticks';
import type { Logger } from '@deal-signals/runtime/logger';
import { type Check, createReadiness } from '@deal-signals/runtime/readiness';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import type { Queue } from 'bullmq';
import type { AttemptConsumer } from '../attempts/consume.ts';

/** The stages of a worker. It takes jobs only while it is `running`. */
export type Stage = 'starting' | 'running' | 'draining';

/** The dependencies of a worker's readiness. */
export interface ReadinessContext {
  db: Database;
  schema: SchemaWatch;
  queue: Queue;
  /** The connection of the queue. */
  producer: RedisClient;
  prefix: string;
  /** The interval between two ticks. */
  tickMs: number;
  logger: Logger;
  stage: () => Stage;
  /** Returns the consumer; undefined while the worker starts. */
  consumer: () => AttemptConsumer | undefined;
}

/** Monitors the readiness of a worker. */
export interface ReadinessWatch {
  /** Returns the current problems, as stable words; none if the worker is ready. */
  failing: () => Promise<string[]>;
  stop: () => void;
}

/** How often a worker checks its readiness, and how often it logs again that it is not ready. */
export interface WatchTiming {
  checkMs: number;
  repeatMs: number;
}

/** A change is logged within five seconds, even without probes. */
const DEFAULT_TIMING: WatchTiming = { checkMs: 5_000, repeatMs: 30_000 };
/** Expiry of the key that is written to check whether Redis accepts writes. */
const WRITE_PROBE_MS = 1_000;
/** Allows for a slow tick. */
const TICK_SLACK_MS = 10_000;

interface Trouble {
  /** The problems in the last log line. */
  words: string;
  sinceMs: number;
  loggedAtMs: number;
}

/** Monitors whether the worker can work. Every change is logged, and while the worker is not ready, the log line is repeated. */
export function watchReadiness(
  context: ReadinessContext,
  timing: WatchTiming = DEFAULT_TIMING,
): ReadinessWatch {
  const { logger, stage, schema } = context;
  const check = createReadiness(createChecks(context));
  const startedAtMs = performance.now();
  // The start has log lines of its own. A line is written here only if the start takes long.
  let trouble: Trouble | null = { words: 'starting', sinceMs: startedAtMs, loggedAtMs: startedAtMs };
  let hasBeenReady = false;

  function log(failing: readonly string[]): void {
    if (stage() === 'draining') return;
    const nowMs = performance.now();
    const words = failing.join();
    const durationMs = Math.round(nowMs - (trouble?.sinceMs ?? nowMs));
    if (failing.length === 0) {
      if (trouble !== null && hasBeenReady) logger.info('worker ready again', { durationMs });
      trouble = null;
      hasBeenReady = true;
    } else if (trouble === null || isChange(words) || nowMs - trouble.loggedAtMs >= timing.repeatMs) {
      const missingMigrations = schema.missing();
      logger.warn('worker not ready', {
        failing,
        ...(missingMigrations.length > 0 && { missingMigrations }),
        durationMs,
      });
      trouble = { words, sinceMs: trouble?.sinceMs ?? nowMs, loggedAtMs: nowMs };
    }
  }

  /** While the worker starts, servers become available one after the other. Such changes are not logged. */
  const isChange = (words: string) => stage() === 'running' && trouble?.words !== words;

  async function checkAndLog(): Promise<string[]> {
    const stageBefore = stage();
    const words = await check();
    // Problems found while the worker started do not apply to the running one.
    if (stage() === stageBefore) log(words);
    return words;
  }

  const timer = setInterval(() => void checkAndLog(), timing.checkMs).unref();
  return { failing: checkAndLog, stop: () => clearInterval(timer) };
}

function createChecks(context: ReadinessContext): Check[] {
  const { db, schema, stage, consumer, tickMs } = context;
  const startedAtMs = performance.now();
  const whileRunning = (name: string, run: Check['run']): Check => ({
    name,
    run: async () => (stage() === 'running' ? run() : null),
  });
  return [
    {
      name: 'stage',
      run: async () => {
        if (stage() === 'running') return null;
        return stage() === 'starting' && schema.missing().length > 0 ? 'migrations' : stage();
      },
    },
    whileRunning('migrations', async () =>
      (await schema.askIfInDoubt(db)).length > 0 ? 'migrations' : null,
    ),
    {
      name: 'database',
      // Without writes, there are no ticks either, so only the first problem is reported.
      run: async () => (await checkDatabase(db)) ?? checkTicks(db, tickMs, startedAtMs),
    },
    { name: 'redis', run: () => checkRedis(context) },
    whileRunning('queues', async () => {
      const worker = consumer()?.worker;
      return worker === undefined || (worker.isRunning() && !worker.isPaused()) ? null : 'queues';
    }),
  ];
}

/** A read-only server is a standby or was set to read-only. Nothing can be claimed or recorded on it. */
async function checkDatabase(db: Database): Promise<string | null> {
  const [row] = await db.$queryRaw<{ isReadOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`;
  return row?.isReadOnly === false ? null : 'database-writes';
}

/** The checks run in this order because each one requires that those before it passed. */
async function checkRedis({ producer, prefix, queue, consumer }: ReadinessContext): Promise<string | null> {
  // The key is in the same slot as the queue, so the check reaches the same node of a cluster.
  const key = `${prefix}:write-probe`;
  await producer.exists(key);
  const isWritten = await producer.set(key, '1', 'PX', WRITE_PROBE_MS).then(
    () => true,
    () => false,
  );
  // This check precedes that of the consumer: while the server rejects writes as a replica, both connections reconnect
  // repeatedly.
  if (!isWritten) return 'redis-writes';
  const connection = consumer()?.connection;
  if (connection === undefined) return null;
  // A command on the consumer's connection would wait for as long as Redis is unavailable.
  if (connection.status !== 'ready') return 'redis';
  await connection.exists(key);
  return (await queue.isPaused()) ? 'queues-paused' : null;
}

/** Reports `ticks` if no worker has completed a tick within the time of two, and this worker has run long enough to notice. */
async function checkTicks(db: Database, tickMs: number, startedAtMs: number): Promise<string | null> {
  const maxMs = 2 * tickMs + TICK_SLACK_MS;
  if (performance.now() - startedAtMs <= maxMs) return null;
  const agoMs = await sinceLastTick(db);
  // A time far in the future means that the clock of the database has stepped back. The next tick corrects it.
  return agoMs !== null && Math.abs(agoMs) <= maxMs ? null : 'ticks';
}
