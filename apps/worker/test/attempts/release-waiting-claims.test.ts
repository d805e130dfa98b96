import { claimReady } from '@deal-signals/deliveries/claims/claim-ready';
import { createLogger } from '@deal-signals/runtime/logger';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { addDeliveries, addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { releaseWaitingClaims } from '../../src/attempts/release-waiting-claims.ts';
import { ATTEMPT_QUEUE, openQueue, toAttemptJobs } from '../../src/attempts/queue.ts';

const PREFIX = '{release-waiting-claims}';

let database: TestDatabase;
let connections: Redis[];
let queue: Queue;

beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  const url = await createTestRedis();
  connections = [1, 2].map(() => new Redis(url, { maxRetriesPerRequest: null }));
  queue = openQueue(connections[0]!, PREFIX);
});
afterEach(async () => {
  await queue.close();
  for (const connection of connections) connection.disconnect();
  await database.drop();
});

test('a draining worker leaves the claim of a job to the worker that has just taken it, and releases the others', async () => {
  const { db } = database;
  const ids = await addDeliveries(db, await addEndpoint(db), 3);
  const { claims } = await claimReady(db, {
    batch: 10,
    endpointLimit: 10,
    workspaceLimit: 10,
    leaseMs: 60_000,
  });
  await queue.addBulk(claims.flatMap((claim) => toAttemptJobs([claim])));

  let finishJob = () => {};
  let other: Worker | undefined;
  /** Takes the first job, as another worker may do between any two commands of the draining worker. */
  async function takeOne(): Promise<void> {
    await new Promise<void>((taken) => {
      other = new Worker(
        ATTEMPT_QUEUE,
        () =>
          new Promise<void>((finish) => {
            finishJob = finish;
            taken();
          }),
        { connection: connections[1]!, prefix: PREFIX, concurrency: 1 },
      );
    });
  }
  const raced = Object.assign(Object.create(queue) as Queue, {
    async getRanges(...range: Parameters<Queue['getRanges']>) {
      const waiting = await queue.getRanges(...range);
      await takeOne();
      return waiting;
    },
  });
  expect(await releaseWaitingClaims(db, raced, createLogger('test', 'error'), () => {}, 10_000)).toBe(true);

  const [taken, ...others] = ids;
  expect(await readDelivery(db, taken!)).toMatchObject({ ready: false, claimToken: claims[0]!.claimToken });
  for (const id of others)
    expect(await readDelivery(db, id)).toMatchObject({ ready: true, claimToken: null });
  expect(await queue.getWaitingCount()).toBe(0);
  finishJob();
  await other!.close();
});
