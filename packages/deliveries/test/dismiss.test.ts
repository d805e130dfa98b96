import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  addDelivery,
  addEndpoint,
  DEAD,
  DELIVERED,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, feedId, second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readDeliveryGauges } from '../src/delivery-gauges.ts';
import { removeEndpoint } from '../src/endpoints/change-state.ts';
import { dismissDead, MAX_DISMISSED } from '../src/admin-actions/dismiss.ts';
import { retryDead, retryDelivery } from '../src/admin-actions/retry.ts';

const PING = { ...DEAD, eventType: 'integration.ping' } as const;

let database: TestDatabase;
let endpointId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
beforeEach(async () => {
  endpointId = await addEndpoint(database.db);
});
afterAll(() => database.drop());

const toCount = (moved: { count: number } | string) => (typeof moved === 'string' ? moved : moved.count);
const dismiss = async (before?: Date, companyId = COMPANY) =>
  toCount(await database.db.transaction((tx) => dismissDead(tx, companyId, endpointId, { before })));
const retryAll = async () =>
  toCount(await database.db.transaction((tx) => retryDead(tx, COMPANY, endpointId, {})));
const isDismissed = async (id: bigint) => (await readDelivery(database.db, id)).dismissedAt !== null;

test('dismissed dead letters stay dead and get the time of their dismissal; a second dismissal does not change it', async () => {
  const { db } = database;
  const [early, late] = [
    await addDelivery(db, endpointId, { ...DEAD, createdAt: second(10) }),
    await addDelivery(db, endpointId, { ...DEAD, createdAt: second(20) }),
  ];
  const pending = await addDelivery(db, endpointId, { createdAt: second(5) });
  const elsewhere = await addDelivery(db, await addEndpoint(db), { ...DEAD, createdAt: second(5) });
  expect(await dismiss(second(20))).toBe(1);
  const { dismissedAt, ...delivery } = await readDelivery(db, early);
  expect(delivery).toMatchObject(DEAD);
  expect(Math.abs(dismissedAt!.getTime() - Date.now())).toBeLessThan(60_000);
  expect(await isDismissed(late)).toBe(false);
  expect(await dismiss()).toBe(1);
  expect((await readDelivery(db, early)).dismissedAt).toEqual(dismissedAt);
  expect(await isDismissed(late)).toBe(true);
  expect(await dismiss()).toBe(0);
  for (const id of [pending, elsewhere]) expect(await isDismissed(id)).toBe(false);
});

test('a dismissed dead letter is neither counted nor retried with the others, but can be retried individually', async () => {
  const { db } = database;
  const id = await addDelivery(db, endpointId, DEAD);
  const { dead } = await readDeliveryGauges(db);
  await dismiss();
  expect((await readDeliveryGauges(db)).dead).toBe(dead - 1);
  expect(await retryAll()).toBe(0);
  await db.transaction((tx) => retryDelivery(tx, COMPANY, endpointId, id));
  expect(await readDelivery(db, id)).toMatchObject({ status: 'pending', ready: true, dismissedAt: null });
});

test('a failed test event is neither retried with the others, nor dismissed, nor counted', async () => {
  const { db } = database;
  const { dead } = await readDeliveryGauges(db);
  const id = await addDelivery(db, endpointId, PING);
  expect(await retryAll()).toBe(0);
  expect(await dismiss()).toBe(0);
  expect((await readDeliveryGauges(db)).dead).toBe(dead);
  expect(await readDelivery(db, id)).toMatchObject({ status: 'dead', dismissedAt: null });
});

test('another workspace cannot dismiss, and no workspace can at a removed endpoint', async () => {
  const id = await addDelivery(database.db, endpointId, DEAD);
  expect(await dismiss(undefined, COMPANY + 1)).toBe('unknown');
  await database.db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
  expect(await dismiss()).toBe('endpoint removed');
  expect(await isDismissed(id)).toBe(false);
});

test('one call dismisses a limited number, oldest first', async () => {
  const { db } = database;
  const first = await addDelivery(db, endpointId, { ...DEAD, id: feedId() - 1_000_000n });
  await db.$executeRaw`
    INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, status, attempts)
    SELECT company_id, id + n, endpoint_id, event_id, event_type, created_at + n * interval '1 ms', status, attempts
    FROM webhook_deliveries, generate_series(1, ${MAX_DISMISSED}::int) AS n WHERE id = ${first}`;
  expect(await dismiss()).toBe(MAX_DISMISSED);
  const left = await db.webhookDelivery.findMany({ where: { endpointId, dismissedAt: null } });
  expect(left.map(({ createdAt }) => Number(createdAt))).toEqual([
    Number((await readDelivery(db, first)).createdAt) + MAX_DISMISSED,
  ]);
  expect(await dismiss()).toBe(1);
});

test('a delivery that is not dead cannot be dismissed', async () => {
  const id = await addDelivery(database.db, endpointId, DELIVERED);
  const update = database.db.webhookDelivery.updateMany({ where: { id }, data: { dismissedAt: new Date() } });
  await expect(update).rejects.toThrow(/webhook_deliveries_dismissed_check/);
});
