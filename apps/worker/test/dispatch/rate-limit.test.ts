import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// Two worker processes; each dispatches when it is woken and at its ticks.

const PER_MINUTE = 12;

let database: TestDatabase;
let receiver: Receiver;
let other: Receiver;
let workers: RunningApp[];

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  [receiver, other] = await Promise.all([startReceiver(), startReceiver()]);
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    DISPATCH_WAKE: 'true',
  };
  workers = await Promise.all([startApp('worker', env), startApp('worker', env)]);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all([receiver.close(), other.close()]);
  await database.drop();
});

test('an endpoint gets no more than its rate limit from two workers, and another endpoint gets its deliveries at once', async () => {
  const { db } = database;
  const slow = await addEndpoint(db, {
    url: receiver.url,
    rateLimit: { create: { maxPerMinute: PER_MINUTE } },
  });
  const quick = await addEndpoint(db, { url: other.url });
  const delivered = async () => {
    const id = await addDelivery(db, quick);
    await until(
      'the other endpoint to get its delivery',
      async () => (await readDelivery(db, id)).deliveredAt,
    );
  };
  for (let n = 0; n < 4; n += 1) await addDeliveries(db, slow, 10);
  for (const minute of [1, 2, 3]) {
    await receiver.waitFor(minute * PER_MINUTE);
    // Each of these is behind the others in the queue, so the dispatchers have visited all of them.
    for (let n = 0; n < 5; n += 1) await delivered();
    expect(receiver.requests).toHaveLength(minute * PER_MINUTE);
    await db.$executeRaw`
      UPDATE endpoint_rate_limits SET claimed_at = ARRAY(SELECT at - interval '61 seconds' FROM unnest(claimed_at) AS past (at))`;
  }
  await receiver.waitFor(40);
});
