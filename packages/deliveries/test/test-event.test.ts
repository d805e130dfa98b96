import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeEndpoint } from '../src/endpoint-state.ts';
import { eventEnvelope } from '../../../apps/api/src/openapi/event-schemas.ts';
import { recordPing } from '../src/test-event.ts';
import { recordOutcome } from '../src/record-outcome.ts';
import { addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';

const LEASE_MS = 30_000;
const RULES = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterAll(() => database.drop());

const ping = (endpointId: number) =>
  inFeedTransaction(database.db, COMPANY, (feed) => recordPing(feed, endpointId, LEASE_MS));

test('a test event is a delivery to one endpoint, whatever it subscribes to, whose attempt has begun', async () => {
  const { db } = database;
  const endpointId = await addEndpoint(db, { events: ['engagement.recorded'] });
  await addEndpoint(db);
  const claim = await ping(endpointId);
  const delivery = await readDelivery(db, claim!.deliveryId);
  expect(delivery).toMatchObject({
    endpointId,
    eventType: 'integration.ping',
    status: 'pending',
    attempts: 0,
    ready: false,
    claimToken: claim!.claimToken,
  });
  expect(isWithinTest(new Date(delivery.leaseExpiresAt!.getTime() - LEASE_MS))).toBe(true);
  const event = await db.webhookEvent.findUniqueOrThrow({
    where: { companyId_id: { companyId: COMPANY, id: delivery.eventId } },
  });
  expect(event.body).toBe(claim!.body);
  expect(eventEnvelope('integration.ping').parse(JSON.parse(event.body))).toMatchObject({
    id: delivery.eventId,
    createdAt: delivery.createdAt.toISOString(),
    companyId: COMPANY,
    data: { endpointId },
  });
  expect(await db.webhookDelivery.count({ where: { eventId: delivery.eventId } })).toBe(1);
  const result = { kind: 'answered', status: 204, excerpt: '', durationMs: 1 } as const;
  expect(await recordOutcome(db, RULES, claim!, result)).toMatchObject({ status: 'delivered' });
});

test('a test event at a disabled endpoint is never left to the dispatcher', async () => {
  const claim = await ping(await addEndpoint(database.db, { enabled: false }));
  expect(await readDelivery(database.db, claim!.deliveryId)).toMatchObject({
    nextAttemptAt: null,
    claimToken: claim!.claimToken,
  });
});

test('a removed or unknown endpoint gets no test event', async () => {
  const endpointId = await addEndpoint(database.db);
  await database.db.$transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
  expect(await ping(endpointId)).toBeNull();
  expect(await ping(endpointId + 1_000)).toBeNull();
});
