import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Database } from '@deal-signals/db/database';
import { createSchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import { type RedisServer, startRedis } from '@deal-signals/local-stack/servers/redis';
import { createLogger } from '@deal-signals/runtime/logger';
import { holdResponses, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { addDelivery, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { type Stage, type WatchTiming, watchReadiness } from '../../src/health/readiness.ts';
import { openQueue } from '../../src/attempts/queue.ts';
import { healthUrl } from '../health/scraping.ts';

/** Longer than any test. */
const NEVER_MS = 3_600_000;

type LogLine = Record<string, unknown> & { message: string };

describe('a worker reports what keeps it from working, and becomes ready again by itself', () => {
  let database: TestDatabase;
  let postgres: TcpProxy;
  let server: RedisServer;
  let worker: RunningApp;
  let url: string;
  const serve = (port: number) =>
    startRedis({
      dataDir: path.join(currentTestRun().folder, `redis-${randomUUID()}`),
      port,
      settings: { appendonly: 'no' },
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    postgres = await startTcpProxy(database.url);
    server = await onFreePort(0, serve);
    worker = await startApp('worker', {
      DATABASE_URL: postgres.url,
      REDIS_URL: server.url,
      DISPATCH_TICK_MS: '100',
    });
    url = healthUrl(worker);
    await untilFailing(undefined);
  });
  afterAll(async () => {
    await worker.stop();
    await Promise.all([server.stop(), postgres.cut(), database.drop()]);
  });

  async function readyz(): Promise<{ status: number; body: { ok: boolean; failing?: string[] } }> {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: (await response.json()) as { ok: boolean; failing?: string[] } };
  }

  /** Waits until readiness reports exactly these problems; undefined stands for ready. */
  async function untilFailing(...expected: (string | undefined)[]): Promise<void> {
    const failing = expected.filter((word) => word !== undefined);
    let last: unknown;
    const isThere = async () => {
      const { status, body } = await readyz();
      last = body;
      expect(status).toBe(body.ok ? 200 : 503);
      return JSON.stringify(body.failing ?? []) === JSON.stringify(failing);
    };
    await until('readiness', isThere).catch(() => expect(last).toEqual({ ok: false, failing }));
  }

  const lines = (message: string) =>
    worker
      .output()
      .split('\n')
      .filter((line) => line.includes(`"message":"${message}"`))
      .map((line) => JSON.parse(line) as LogLine);

  async function onServer(...command: [string, ...string[]]): Promise<void> {
    const redis = new Redis(server.url);
    await redis.call(...command);
    redis.disconnect();
  }

  /** Makes the database read-only, like a standby, or writable again. */
  async function setReadOnly(isReadOnly: boolean): Promise<void> {
    const name = new URL(database.url).pathname.slice(1);
    await database.db.$executeRawUnsafe(
      `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    );
    await database.db.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'deal-signals-worker'
        AND datname = current_database()`;
  }

  async function pauseAttempts(isPaused: boolean): Promise<void> {
    const connection = new Redis(server.url, { maxRetriesPerRequest: null });
    const queue = openQueue(connection, '{deal-signals}');
    await (isPaused ? queue.pause() : queue.resume());
    connection.disconnect();
  }

  const renameColumn = (from: string, to: string) =>
    database.db.$executeRawUnsafe(`ALTER TABLE pending_deliveries RENAME COLUMN ${from} TO ${to}`);

  const troubles: { trouble: string; words: string[]; begin: () => unknown; end: () => unknown }[] = [
    {
      trouble: 'PostgreSQL refuses connections',
      words: ['database'],
      begin: () => postgres.cut(),
      end: () => postgres.restore(),
    },
    {
      trouble: 'PostgreSQL does not respond',
      words: ['database'],
      begin: () => postgres.stall(),
      end: () => postgres.restore(),
    },
    {
      trouble: 'PostgreSQL is read-only',
      words: ['database-writes'],
      begin: () => setReadOnly(true),
      end: () => setReadOnly(false),
    },
    {
      trouble: 'Redis is away',
      words: ['redis'],
      begin: () => server.stop(),
      end: async () => {
        server = await serve(server.port);
      },
    },
    {
      trouble: 'Redis is full',
      words: ['redis-writes'],
      begin: () => onServer('CONFIG', 'SET', 'maxmemory', '1'),
      end: () => onServer('CONFIG', 'SET', 'maxmemory', '0'),
    },
    {
      trouble: 'Redis has become a replica',
      words: ['redis-writes'],
      begin: () => onServer('REPLICAOF', '127.0.0.1', '1'),
      end: () => onServer('REPLICAOF', 'NO', 'ONE'),
    },
    {
      trouble: 'a queue is paused',
      words: ['queues-paused'],
      begin: () => pauseAttempts(true),
      end: () => pauseAttempts(false),
    },
    {
      trouble: 'no tick completes',
      words: ['ticks'],
      begin: () => renameColumn('ready', 'renamed'),
      end: () => renameColumn('renamed', 'ready'),
    },
  ];

  test.each(troubles)('when $trouble', async ({ words, begin, end }) => {
    const again = lines('worker ready again').length;
    const said = lines('worker not ready').length;
    await begin();
    await untilFailing(...words);
    const line = await until('the log to report it', () =>
      lines('worker not ready')
        .slice(said)
        .find(({ failing }) => String(failing) === words.join()),
    );
    expect(line).toMatchObject({ level: 'warn', failing: words, durationMs: expect.any(Number) });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await end();
    await untilFailing(undefined);
    await until('the log to report the end', () => lines('worker ready again').length > again);
    // Several probes saw the same problem, and it is logged once.
    for (const [before, after] of lines('worker not ready')
      .slice(said)
      .map(({ failing }) => String(failing))
      .map((now, n, all) => [all[n - 1], now])) {
      expect(after).not.toBe(before);
    }
  });

  test('stays ready when Redis is wiped', async () => {
    await onServer('FLUSHALL');
    expect((await readyz()).body).toEqual({ ok: true });
  });

  test('writes nothing secret to the log', async () => {
    expect(worker.output()).not.toMatch(/whsec_|SECRETS_KEY/);
    for (const line of lines('worker not ready')) {
      expect(Object.keys(line).toSorted()).toEqual([
        'app',
        'durationMs',
        'failing',
        'level',
        'message',
        'timestamp',
      ]);
    }
  });
});

test('a worker that waits for its database reports that it is starting, and the missing migrations', async () => {
  const worker = await startApp(
    'worker',
    {
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
      REDIS_URL: await createTestRedis(),
    },
    { waitUntilReady: false },
  );
  await worker.waitForOutput('waiting for the database');
  const response = await fetch(`${worker.url}/readyz`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { ok: false, failing: ['starting', 'database'] },
  ]);
  const metrics = await fetch(`${worker.url}/metrics`);
  expect(await metrics.text()).toContain('deal_signals_');
  expect(metrics.status).toBe(200);
  expect(await worker.stop()).toBe(0);
});

test('a stopping worker is not ready while it drains', async () => {
  const database = await createTestDatabase();
  await addCompany(database.db);
  const receiver = await startReceiver();
  const letRespond = holdResponses(receiver);
  const worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
  });
  const url = healthUrl(worker);
  await until('readiness', async () => (await fetch(`${url}/readyz`)).status === 200);
  await addDelivery(database.db, await addEndpoint(database.db, { url: receiver.url }));
  await receiver.waitFor(1);
  const stopped = worker.stop();
  const body = await until('it to drain', async () => {
    const response = await fetch(`${url}/readyz`);
    return response.status === 503 && (await response.json());
  });
  expect(body).toEqual({ ok: false, failing: ['draining'] });
  letRespond();
  expect(await stopped).toBe(0);
  expect(worker.output()).not.toContain('worker not ready');
  await receiver.close();
  await database.drop();
});

describe('the log', () => {
  let database: TestDatabase;
  let producer: Redis;
  let log: LogLine[];
  let stage: Stage;

  beforeEach(async () => {
    database = await createTestDatabase();
    producer = new Redis(await createTestRedis(), { maxRetriesPerRequest: 1 });
    log = [];
    stage = 'starting';
  });
  afterEach(async () => {
    producer.disconnect();
    await database.drop();
  });

  function watch({ checkMs, repeatMs }: WatchTiming, db = database.db) {
    const logger = createLogger('test', 'info');
    for (const transport of logger.transports) transport.silent = true;
    logger.on('data', (line: LogLine) => log.push(line));
    return watchReadiness(
      {
        db,
        schema: createSchemaWatch(),
        queue: openQueue(producer, 'test').on('error', () => {}),
        producer,
        prefix: 'test',
        tickMs: NEVER_MS,
        logger,
        stage: () => stage,
        consumer: () => undefined,
      },
      { checkMs, repeatMs },
    );
  }

  test('repeats the problems at a limited rate', async () => {
    const readiness = watch({ checkMs: 10, repeatMs: 200 });
    const begunAtMs = performance.now();
    await until('three lines', () => log.length >= 3);
    expect(performance.now() - begunAtMs).toBeGreaterThanOrEqual(3 * 200);
    for (const line of log) expect(line).toMatchObject({ level: 'warn', failing: ['starting'] });

    stage = 'draining';
    await readiness.failing();
    const before = log.length;
    expect(await readiness.failing()).toEqual(['draining']);
    expect(log).toHaveLength(before);
    readiness.stop();
  });

  test('has each change at once, and once', async () => {
    const proxy = await startTcpProxy(database.url);
    const options = { poolSize: 1, applicationName: 'test', statementTimeoutMs: 1_000 };
    const db = new Database({ url: proxy.url, ...options });
    // It checks only when it is called, not on a timer, which might fire in the middle of a change.
    const readiness = watch({ checkMs: NEVER_MS, repeatMs: NEVER_MS }, db);
    stage = 'running';
    await until('readiness', async () => (await readiness.failing()).length === 0);
    expect(log).toEqual([]);
    producer.disconnect();
    for (let look = 0; look < 3; look += 1) await readiness.failing();
    await proxy.cut();
    for (let look = 0; look < 3; look += 1) await readiness.failing();
    expect(log).toMatchObject([
      { message: 'worker not ready', failing: ['redis'] },
      { message: 'worker not ready', failing: ['database', 'redis'] },
    ]);
    readiness.stop();
    await db.close();
  });
});
