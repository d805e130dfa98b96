import { type ConnectProxy, startConnectProxy } from '@deal-signals/test-kit/servers/connect-proxy';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  addDelivery,
  addEndpoint,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// A worker whose deliveries go through a proxy.

let database: TestDatabase;
let receiver: Receiver;
let proxy: ConnectProxy;
let worker: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  [receiver, proxy] = await Promise.all([startReceiver(), startConnectProxy('worker:hunter2')]);
  worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    WEBHOOK_RETRY_SCHEDULE_MS: '100',
    WEBHOOK_PROXY_URL: proxy.url.href,
  });
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([receiver.close(), proxy.close()]);
  await database.drop();
});

test('deliveries go through the proxy; while it is unavailable they are retried, without failures of the endpoint', async () => {
  const { db } = database;
  const endpointId = await addEndpoint(db, { url: receiver.url });
  const first = await addDelivery(db, endpointId);
  await until('the delivery', async () => (await readDelivery(db, first)).status === 'delivered');
  expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`]);
  await proxy.close();
  const second = await addDelivery(db, endpointId);
  const { attemptLog } = await until('two attempts without the proxy', async () => {
    const delivery = await readDelivery(db, second);
    return delivery.attemptLog.length >= 2 && delivery;
  });
  expect(attemptLog.slice(1)).toContainEqual(
    expect.objectContaining({ statusCode: null, error: 'our outgoing proxy was not available' }),
  );
  expect(await readEndpoint(db, endpointId)).toMatchObject({ consecutiveFailures: 0 });
  expect(receiver.requests).toHaveLength(1);
  expect(worker.output()).toContain('"outcome":"not_sent"');
  expect(worker.output()).not.toContain('hunter2');
});
