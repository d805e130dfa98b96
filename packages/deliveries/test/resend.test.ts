import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  DEAD,
  DELIVERED,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, feedId, second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { disableEndpoint, removeEndpoint } from '../src/endpoints/change-state.ts';
import { RESEND_BATCH, resendBatch, resendDelivery, type ResendFilter } from '../src/admin-actions/resend.ts';

const OTHER_COMPANY = COMPANY + 1;

let database: TestDatabase;
let endpointId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db, COMPANY);
  await addCompany(database.db, OTHER_COMPANY);
});
beforeEach(async () => {
  endpointId = await addEndpoint(database.db);
});
afterAll(() => database.drop());

const resendOne = (id: bigint, companyId = COMPANY) =>
  inFeedTransaction(database.db, companyId, (feed) => resendDelivery(feed, endpointId, id));
const resend = (filter: Partial<ResendFilter> = {}, companyId = COMPANY) =>
  inFeedTransaction(database.db, companyId, (feed) =>
    resendBatch(feed, endpointId, { since: null, until: null, eventTypes: null, cursor: 0n, ...filter }),
  );
/** The events of the deliveries of the endpoint that the last resend created, in id order. */
async function resentEvents(): Promise<string[]> {
  const rows = await database.db.delivery.findMany({
    where: { endpointId, createdAt: { gt: second(1_000_000) } },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ eventId }) => eventId);
}
/** Delivers all pending deliveries of the endpoint, or those of an event. */
const deliver = (eventId: string | null = null) => database.db.$executeRaw`
  WITH ended AS (
    DELETE FROM pending_deliveries
    WHERE company_id = ${COMPANY} AND endpoint_id = ${endpointId} AND (${eventId}::uuid IS NULL OR event_id = ${eventId}::uuid)
    RETURNING *
  )
  INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, delivered_at)
  SELECT company_id, id, endpoint_id, event_id, event_type, 'delivered', 1, created_at, now() FROM ended`;
const readEventId = async (id: bigint) => (await readDelivery(database.db, id)).eventId;

describe('one delivery', () => {
  test.each([
    ['delivered', DELIVERED],
    ['dead', DEAD],
    ['pending', {}],
  ])(
    'that is %s is resent as a new delivery of the same event, and does not change itself',
    async (_status, fields) => {
      const { db } = database;
      const id = await addDelivery(db, endpointId, { ...fields, createdAt: second(10) });
      const before = await readDelivery(db, id);
      const resent = await resendOne(id);
      expect(await readDelivery(db, id)).toEqual(before);
      expect(resent).toBeGreaterThan(id);
      const { at } = await db.feedClock.findUniqueOrThrow({ where: { companyId: COMPANY } });
      expect(await readDelivery(db, resent as bigint)).toMatchObject({
        eventId: before.eventId,
        eventType: before.eventType,
        status: 'pending',
        attempts: 0,
        attemptLog: [],
        ready: true,
        requeued: true,
        createdAt: at,
        nextAttemptAt: at,
      });
      // The new delivery is found by the subjects of its event.
      const subjects = (firstDeliveryId: bigint) =>
        db.webhookDeliverySubject.findMany({
          where: { companyId: COMPANY, firstDeliveryId },
          select: { kind: true, subject: true, deliveries: true },
          orderBy: { kind: 'asc' },
        });
      expect(await subjects(resent as bigint)).toEqual(await subjects(id));
      expect(await subjects(id)).toContainEqual({ kind: 'event', subject: before.eventId, deliveries: 1 });
    },
  );

  test('is on hold at a disabled endpoint, and not resent at a removed one or for another workspace', async () => {
    const { db } = database;
    const id = await addDelivery(db, endpointId, DELIVERED);
    expect(await resendOne(id, OTHER_COMPANY)).toBe('unknown');
    await db.transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'test'));
    const resent = await resendOne(id);
    expect(await readDelivery(db, resent as bigint)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      ready: false,
    });
    await db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
    expect(await resendOne(id)).toBe('endpoint removed');
    const elsewhere = await addDelivery(db, await addEndpoint(db), DELIVERED);
    expect(await resendOne(elsewhere)).toBe('unknown');
  });
});

describe('many', () => {
  test('are resent once each, oldest first, without test events and events with a pending delivery', async () => {
    const { db } = database;
    const ids = [
      await addDelivery(db, endpointId, { ...DELIVERED, createdAt: second(10) }),
      await addDelivery(db, endpointId, { ...DEAD, createdAt: second(11) }),
    ];
    await addDelivery(db, endpointId, { createdAt: second(12) });
    await addDelivery(db, endpointId, { ...DEAD, createdAt: second(13), eventType: 'integration.ping' });
    const events = await Promise.all(ids.map(readEventId));
    expect(await resend()).toEqual({ count: 2, cursor: null });
    expect(await resentEvents()).toEqual(events);
    // Both are pending now. Once the second one is delivered, its event is resent once more, and not once for each delivery.
    expect(await resend()).toEqual({ count: 0, cursor: null });
    await deliver(events[1]);
    expect(await resend()).toEqual({ count: 1, cursor: null });
    expect(await resentEvents()).toEqual([...events, events[1]]);
  });

  test('are resent regardless of the deliveries of the same events to other endpoints', async () => {
    const { db } = database;
    const other = await addEndpoint(db);
    const [at, eventType] = [second(10), 'engagement.recorded'];
    const id = await addDelivery(db, endpointId, { ...DELIVERED, createdAt: at });
    const eventId = await readEventId(id);
    // The outbox has written both at the same time: the other one is pending.
    const next = { companyId: COMPANY, id: feedId(at), createdAt: at, nextAttemptAt: at };
    expect(next.id).toBe(id + 1n);
    await db.pendingDelivery.create({ data: { ...next, endpointId: other, eventId, eventType } });
    await db.webhookDeliverySubject.updateMany({ where: { firstDeliveryId: id }, data: { deliveries: 2 } });
    expect(await resend()).toEqual({ count: 1, cursor: null });
    expect(await resentEvents()).toEqual([eventId]);
  });

  test('are filtered by period and event types', async () => {
    const { db } = database;
    const at = async (seconds: number, eventType: 'engagement.recorded' | 'decision_room.updated') =>
      readEventId(await addDelivery(db, endpointId, { ...DELIVERED, createdAt: second(seconds), eventType }));
    const events = [];
    for (let n = 10; n < 30; n += 1) {
      events.push(await at(n, n % 2 === 0 ? 'engagement.recorded' : 'decision_room.updated'));
      // Ids of a workspace are not consecutive.
      await addDelivery(db, await addEndpoint(db), { ...DELIVERED, createdAt: second(n) });
    }
    const types = { eventTypes: ['decision_room.updated'] };
    expect(await resend({ since: second(24), until: second(28), ...types })).toEqual({
      count: 2,
      cursor: null,
    });
    expect(await resentEvents()).toEqual([events[15], events[17]]);
    expect(await resend({ since: second(28), ...types })).toEqual({ count: 1, cursor: null });
    expect(await resend({ until: second(10) })).toEqual({ count: 0, cursor: null });
    expect(await resend({ since: second(1_000_000) })).toEqual({ count: 0, cursor: null });
    expect(await resend({ since: second(29) })).toEqual({ count: 0, cursor: null });
  });

  test('are resent in batches, and the next one continues after the cursor', async () => {
    const { db } = database;
    await addDeliveries(db, endpointId, RESEND_BATCH + 5, { ...DELIVERED, createdAt: second(10) });
    const first = await resend();
    expect(first).toEqual({ count: RESEND_BATCH, cursor: expect.any(BigInt) });
    const { cursor } = first as { cursor: bigint };
    // It visits the new deliveries too, and resends none of them.
    await deliver();
    const later = await resend({ cursor });
    expect(later).toEqual({ count: 5, cursor: expect.any(BigInt) });
    expect(await resend({ cursor: (later as { cursor: bigint }).cursor })).toEqual({
      count: 0,
      cursor: null,
    });
  });

  test('are not resent at a removed endpoint or for another workspace', async () => {
    await addDelivery(database.db, endpointId, DELIVERED);
    expect(await resend({}, OTHER_COMPANY)).toBe('unknown');
    await database.db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
    expect(await resend()).toBe('endpoint removed');
  });
});
