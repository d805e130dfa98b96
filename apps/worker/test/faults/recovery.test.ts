import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Database } from '@deal-signals/db/database';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import { type RedisServer, startRedis } from '@deal-signals/local-stack/servers/redis';
import { holdResponses, type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

// Outages of a process, of Redis and of the database. Each test has its own workers and queues.

let database: TestDatabase;
let receiver: Receiver;

beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await database.drop();
});

const startWorker = (redisUrl: string, env: Record<string, string> = {}) =>
  startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    DISPATCH_TICK_MS: '100',
    WEBHOOK_RETRY_SCHEDULE_MS: '50',
    ...env,
  });

const untilDelivered = (endpointId: number, count: number) =>
  until(
    `${count} deliveries to have arrived`,
    async () =>
      (await database.db.webhookDelivery.count({ where: { endpointId, status: 'delivered' } })) === count,
  );

describe('Redis', () => {
  test('can be wiped while deliveries are claimed and being attempted: all of them arrive', async () => {
    const redisUrl = await createTestRedis();
    // One attempt at a time, so two of three jobs are only in the queue when it is wiped.
    const worker = await startWorker(redisUrl, { WORKER_CONCURRENCY: '1', WEBHOOK_TIMEOUT_MS: '3000' });
    const letRespond = holdResponses(receiver);
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    await addDeliveries(database.db, endpointId, 30);
    await receiver.waitFor(1);
    const claimed = { endpointId, claimToken: { not: null } };
    expect(await database.db.pendingDelivery.count({ where: claimed })).toBe(30);
    const redis = new Redis(redisUrl);
    await redis.flushdb();
    redis.disconnect();
    letRespond();
    await untilDelivered(endpointId, 30);
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(30);
    expect(await worker.stop()).toBe(0);
  });

  describe('on a separate server', () => {
    let folder: string;
    let server: RedisServer | undefined;
    const serve = (port: number) => startRedis({ dataDir: folder, port, settings: { appendonly: 'no' } });

    beforeEach(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'deal-signals-redis-'));
      server = await onFreePort(0, serve);
    });
    afterEach(async () => {
      await server?.stop();
      await rm(folder, { recursive: true });
    });

    test('can stop and restart empty: the worker continues by itself', async () => {
      const worker = await startWorker(server!.url);
      const endpointId = await addEndpoint(database.db, { url: receiver.url });
      await addDelivery(database.db, endpointId);
      await untilDelivered(endpointId, 1);
      const { port } = server!;
      await server!.stop();
      await addDelivery(database.db, endpointId);
      await worker.waitForOutput('"message":"connection trouble"');
      server = await serve(port);
      await untilDelivered(endpointId, 2);
      expect(await worker.stop()).toBe(0);
    });

    test('can start after the worker, which waits for it', async () => {
      const { port, url } = server!;
      await server!.stop();
      server = undefined;
      const env = {
        DATABASE_URL: database.url,
        REDIS_URL: url,
        DISPATCH_TICK_MS: '100',
      };
      const worker = await startApp('worker', env, { waitUntilReady: false });
      await worker.waitForOutput('ECONNREFUSED');
      expect(worker.output()).not.toContain('worker ready');
      server = await serve(port);
      await worker.waitForOutput('"message":"worker ready"');
      const endpointId = await addEndpoint(database.db, { url: receiver.url });
      await addDelivery(database.db, endpointId);
      await untilDelivered(endpointId, 1);
      expect(await worker.stop()).toBe(0);
    });
  });
});

describe('a worker killed during an attempt', () => {
  test('leaves its delivery to another worker after the lease', async () => {
    const redisUrl = await createTestRedis();
    // The lease is three times as long, and the second worker waits for its end.
    const env = { WEBHOOK_TIMEOUT_MS: '5000' };
    const first = await startWorker(redisUrl, env);
    receiver.respond('hang');
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    const ids = await addDeliveries(database.db, endpointId, 3);
    await receiver.waitFor(3);
    await first.kill9();
    receiver.respond(200);
    const second = await startWorker(redisUrl, env);
    await untilDelivered(endpointId, 3);
    for (const id of ids) {
      const { attempts, attemptLog } = await readDelivery(database.db, id);
      // The attempt without an outcome does not count against the receiver.
      expect([attempts, attemptLog.length]).toEqual([1, 1]);
    }
    expect(await readEndpoint(database.db, endpointId)).toMatchObject({ lastErrorAt: null });
    expect(await second.stop()).toBe(0);
  });
});

describe('a stopping worker', () => {
  test('finishes and records the running attempt', async () => {
    const worker = await startWorker(await createTestRedis());
    const letRespond = holdResponses(receiver);
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    const id = await addDelivery(database.db, endpointId);
    await receiver.waitFor(1);
    const stopped = worker.stop('SIGTERM');
    await worker.waitForOutput('"message":"draining"');
    letRespond();
    expect(await stopped).toBe(0);
    expect(await readDelivery(database.db, id)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(receiver.requests).toHaveLength(1);
  });

  test('releases at once the claims whose attempt has not begun', async () => {
    const worker = await startWorker(await createTestRedis(), { WORKER_CONCURRENCY: '1' });
    const letRespond = holdResponses(receiver);
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    const ids = await addDeliveries(database.db, endpointId, 5);
    await receiver.waitFor(1);
    const stopped = worker.stop('SIGTERM');
    const [first, ...others] = ids;
    await until('the others to be ready again', async () => {
      const ready = await database.db.pendingDelivery.findMany({ where: { endpointId, ready: true } });
      return ready.length === others.length && ready;
    });
    // The first attempt is still running, so the release did not wait for it.
    expect(await readDelivery(database.db, first!)).toMatchObject({ status: 'pending', attempts: 0 });
    letRespond();
    expect(await stopped).toBe(0);
    expect(await readDelivery(database.db, first!)).toMatchObject({ status: 'delivered' });
    for (const id of others) {
      expect(await readDelivery(database.db, id)).toMatchObject({
        status: 'pending',
        attempts: 0,
        ready: true,
        claimToken: null,
        nextAttemptAt: expect.any(Date),
      });
    }
    expect(receiver.requests).toHaveLength(1);
  });

  test('ends at once while it waits for a database', async () => {
    const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', REDIS_URL: await createTestRedis() };
    const worker = await startApp('worker', env, { waitUntilReady: false });
    await worker.waitForOutput('waiting for the database');
    expect(await worker.stop('SIGINT')).toBe(0);
  });
});

test('an invalid variable stops the start with a message that has its name, but not its value', async () => {
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: 'http://nowhere',
    SECRETS_KEY: 'not-a-good-key',
    DISPATCH_BATCH: '0',
  };
  const worker = await startApp('worker', env, { waitUntilReady: false });
  expect((await worker.exited).exitCode).toBe(1);
  expect(worker.output()).toMatch(
    /configuration: .*REDIS_URL: must be .*DISPATCH_BATCH: must be .*SECRETS_KEY: must be/,
  );
  expect(worker.output()).not.toMatch(/not-a-good-key|nowhere/);
});

test('a SECRETS_KEY that does not decrypt the stored secrets stops the start', async () => {
  await addEndpoint(database.db, { url: receiver.url });
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    SECRETS_KEY: Buffer.alloc(32, 8).toString('base64'),
  };
  const worker = await startApp('worker', env, { waitUntilReady: false });
  expect((await worker.exited).exitCode).toBe(1);
  expect(worker.output()).toContain('SECRETS_KEY: does not decrypt');
});

test('an outage of the database delays the outcomes of attempts, and nothing is sent twice', async () => {
  const worker = await startWorker(await createTestRedis());
  const endpointId = await addEndpoint(database.db, { url: receiver.url });
  const letRespond = holdResponses(receiver);
  await addDeliveries(database.db, endpointId, 10);
  await receiver.waitFor(10);
  await openToAll(false);
  letRespond();
  await worker.waitForOutput('outcome not recorded yet');
  await openToAll(true);
  await untilDelivered(endpointId, 10);
  expect(receiver.requests).toHaveLength(10);
  await addDeliveries(database.db, endpointId, 10);
  await untilDelivered(endpointId, 20);
  expect(await worker.stop()).toBe(0);
});

/** Closes the test's database to all connections, including open ones, or opens it again. */
async function openToAll(isOpen: boolean): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  const server = new Database({
    url: currentTestRun().postgresUrl,
    poolSize: 1,
    applicationName: 'test',
    statementTimeoutMs: 10_000,
  });
  await server.$executeRawUnsafe(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${isOpen}`);
  if (!isOpen)
    await server.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
  await server.close();
}
