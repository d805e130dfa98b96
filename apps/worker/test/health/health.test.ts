import { startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { expect, test } from '@jest/globals';
import { healthUrl } from './scraping.ts';

test('the probes of a worker report whether it is alive and whether it is ready', async () => {
  const database = await createTestDatabase();
  const worker = await startApp('worker', { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() });
  const url = healthUrl(worker);
  const probe = async (path: string) => (await fetch(`${url}${path}`)).status;
  await until('readiness', async () => (await probe('/readyz')) === 200);
  expect(await probe('/healthz')).toBe(200);
  expect(await probe('/elsewhere')).toBe(404);

  await database.drop();
  await until('unreadiness without the database', async () => (await probe('/readyz')) === 503);
  expect(await probe('/healthz')).toBe(200);
  expect(await worker.stop()).toBe(0);
});
