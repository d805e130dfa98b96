import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventEnvelope } from '../../serializers/src/events/events.ts';
import type { Attempt } from '../src/attempts/begin-attempt.ts';
import { recordOutcome } from '../src/attempts/record-outcomes.ts';
import { removeEndpoint } from '../src/endpoints/change-state.ts';
import { startTestEvent } from '../src/admin-actions/test-event.ts';

const LEASE_MS = 3_600_000;
const RULES = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterAll(() => database.drop());

const ping = (endpointId: number) =>
  inFeedTransaction(database.db, COMPANY, (feed) => startTestEvent(feed, endpointId, LEASE_MS));

/** Starts a test event and returns its attempt. */
async function start(endpointId: number): Promise<Attempt> {
  const started = await ping(endpointId);
  if (started.kind !== 'started') throw new Error(started.kind);
  return started.attempt;
}

test('a test event is a delivery to one endpoint, regardless of its subscriptions, whose attempt has begun', async () => {
  const { db } = database;
  const endpointId = await addEndpoint(db, { events: ['engagement.recorded'] });
  await addEndpoint(db);
  const attempt = await start(endpointId);
  const delivery = await readDelivery(db, attempt.deliveryId);
  expect(delivery).toMatchObject({
    endpointId,
    eventType: 'integration.ping',
    status: 'pending',
    attempts: 0,
    ready: false,
    claimToken: attempt.claimToken,
  });
  expect(isWithinTest(new Date(delivery.leaseExpiresAt!.getTime() - LEASE_MS))).toBe(true);
  const event = await db.webhookEvent.findUniqueOrThrow({
    where: { companyId_id: { companyId: COMPANY, id: delivery.eventId } },
  });
  expect(event.body).toBe(attempt.body);
  expect(eventEnvelope('integration.ping').parse(JSON.parse(event.body))).toMatchObject({
    id: delivery.eventId,
    createdAt: delivery.createdAt.toISOString(),
    companyId: COMPANY,
    data: { endpointId },
  });
  expect(await db.delivery.count({ where: { eventId: delivery.eventId } })).toBe(1);
  const result = { kind: 'responded', status: 204, excerpt: '', durationMs: 1 } as const;
  expect(await recordOutcome(db, RULES, attempt, result)).toMatchObject({ status: 'delivered' });
});

test('the dispatcher never claims a test event at a disabled endpoint', async () => {
  const attempt = await start(await addEndpoint(database.db, { enabled: false }));
  expect(await readDelivery(database.db, attempt.deliveryId)).toMatchObject({
    nextAttemptAt: null,
    claimToken: attempt.claimToken,
  });
});

test('a removed or unknown endpoint gets no test event', async () => {
  const endpointId = await addEndpoint(database.db);
  await database.db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
  expect(await ping(endpointId)).toEqual({ kind: 'unknown' });
  expect(await ping(endpointId + 1_000)).toEqual({ kind: 'unknown' });
});

test('an endpoint has one running test event at a time, until its lease ends', async () => {
  const { db } = database;
  const endpointId = await addEndpoint(db);
  const first = await start(endpointId);
  expect(await ping(endpointId)).toEqual({ kind: 'running' });
  expect(await ping(await addEndpoint(db))).toMatchObject({ kind: 'started' });
  await db.pendingDelivery.updateMany({
    where: { id: first.deliveryId },
    data: { leaseExpiresAt: new Date(0) },
  });
  expect(await ping(endpointId)).toMatchObject({ kind: 'started' });
});
