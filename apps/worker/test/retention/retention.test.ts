import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { RETENTION_BATCH } from '@deal-signals/deliveries/retention/old-deliveries';
import { resendDelivery } from '@deal-signals/deliveries/admin-actions/resend';
import { retryDelivery } from '@deal-signals/deliveries/admin-actions/retry';
import { urlFor } from '@deal-signals/test-kit/databases/database-roles';
import {
  createTestDatabase,
  TEST_LIMITS,
  type TestDatabase,
} from '@deal-signals/test-kit/databases/test-database';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  DEAD,
  DELIVERED,
} from '@deal-signals/test-kit/worlds/deliveries';
import { until } from '@deal-signals/test-kit/until';
import { COMPANY, feedId } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  keepRemoving,
  removeOldRows,
  type RetentionContext,
  type RetentionTable,
} from '../../src/retention/retention.ts';

const NEIGHBOUR = COMPANY + 1;
/** After more workspaces than one statement visits. */
const LAST = COMPANY + 1_000;
const DAY_MS = 86_400_000;

let database: TestDatabase;
/** The database as the role of the apps. */
let appDb: Database;
let endpointId: number;
let removed: Record<RetentionTable, number>;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = urlFor('signals_app', database.url);
  appDb = new Database({ url, poolSize: 2, applicationName: 'test', ...TEST_LIMITS });
  await addCompany(database.db);
  await addCompany(database.db, NEIGHBOUR);
  await database.db.company.createMany({
    data: Array.from({ length: 200 }, (_, n) => ({ id: NEIGHBOUR + 1 + n, name: 'Idle' })),
  });
  await addCompany(database.db, LAST);
});
beforeEach(async () => {
  const { db } = database;
  for (const table of [
    'webhook_attempts',
    'webhook_delivery_subjects',
    'pending_deliveries',
    'webhook_deliveries',
    'webhook_events',
    'audit_records',
  ]) {
    await db.$executeRawUnsafe(`DELETE FROM ${table}`);
  }
  endpointId = await addEndpoint(db);
  removed = { webhook_deliveries: 0, webhook_attempts: 0, webhook_events: 0, audit_records: 0 };
});
afterAll(async () => {
  await appDb.close();
  await database.drop();
});

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const context = (settings: Partial<RetentionContext> = {}): RetentionContext => ({
  db: appDb,
  retentionDays: 90,
  auditRetentionDays: 0,
  onRemoved: (table, rows) => {
    removed[table] += rows;
  },
  onError: (error) => {
    throw error;
  },
  ...settings,
});
/** Runs a whole pass without rests. */
const removeOld = (settings: Partial<RetentionContext> = {}) =>
  removeOldRows(context(settings), (run, ...args) => run(...args));

const left = async () => {
  const rows = await database.db.delivery.findMany({ orderBy: { id: 'asc' }, select: { id: true } });
  return rows.map(({ id }) => id);
};
const delivered = (days: number, createdDays = days) => ({
  ...DELIVERED,
  createdAt: ago(createdDays),
  deliveredAt: ago(days),
});
/** Writes the subjects of all deliveries from the current state of their events. */
async function rewriteSubjects(): Promise<void> {
  const { db } = database;
  await db.$executeRaw`DELETE FROM webhook_delivery_subjects`;
  await db.$executeRaw`
    INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
    SELECT d.company_id, s.kind, s.subject, d.id, 1
    FROM deliveries d JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id
    CROSS JOIN LATERAL delivery_subjects(e.id, e.type, e.buyer_space_id, e.call_id, e.identity) AS s`;
}
const dead = (days: number) => ({ ...DEAD, createdAt: ago(days) });
const addAttempt = (deliveryId: bigint, days: number) =>
  database.db.webhookAttempt.create({
    data: { companyId: COMPANY, deliveryId, number: 1, startedAt: ago(days), durationMs: 1 },
  });

test('a delivery that ended 90 days ago is removed with its attempts, its subjects and its event', async () => {
  const { db } = database;
  const old = [await addDelivery(db, endpointId, delivered(91)), await addDelivery(db, endpointId, dead(91))];
  for (const id of old) await addAttempt(id, 91);
  // About a room and a person, like an event of a capture, and one without subjects.
  await db.webhookEvent.updateMany({
    data: { buyerSpaceId: '00000000-0000-4000-8000-000000000001', identity: 'email:jo@example.org' },
  });
  const kept = [
    await addDelivery(db, endpointId, delivered(89)),
    await addDelivery(db, endpointId, dead(89)),
    await addDelivery(db, endpointId, { createdAt: ago(400) }),
    await addDelivery(db, endpointId, { createdAt: ago(400), nextAttemptAt: null, ready: false }),
  ];
  await addAttempt(kept[0]!, 89);
  await db.webhookEvent.updateMany({
    where: { buyerSpaceId: null },
    data: { callId: '00000000-0000-4000-8000-000000000002' },
  });
  await rewriteSubjects();

  await removeOld();

  // In id order: the pending ones were created first.
  const inOrder = [kept[2], kept[3], kept[0], kept[1]];
  expect(await left()).toEqual(inOrder);
  expect(await db.webhookAttempt.findMany({ select: { deliveryId: true } })).toEqual([
    { deliveryId: kept[0] },
  ]);
  const subjects = await db.webhookDeliverySubject.findMany({
    orderBy: [{ firstDeliveryId: 'asc' }, { kind: 'asc' }],
  });
  expect(subjects.map(({ kind, firstDeliveryId }) => [kind, firstDeliveryId])).toEqual(
    inOrder.flatMap((id) => ['event', 'type', 'call'].map((kind) => [kind, id])),
  );
  expect(await db.webhookEvent.count()).toBe(kept.length);
  expect(removed).toEqual({
    webhook_deliveries: 2,
    webhook_attempts: 2,
    webhook_events: 2,
    audit_records: 0,
  });
});

test('an event stays with all its subjects while one of its deliveries does, in the queue or in the log', async () => {
  const { db } = database;
  const old = await addDelivery(db, endpointId, delivered(91));
  const { eventId } = await db.webhookDelivery.findFirstOrThrow();
  const again = { companyId: COMPANY, endpointId, eventId, eventType: 'engagement.recorded' };
  const [pending, late] = [feedId(ago(91)), feedId(ago(91))];
  await db.pendingDelivery.create({ data: { ...again, id: pending, createdAt: ago(91), ready: false } });
  await db.webhookDelivery.create({ data: { ...again, ...delivered(1, 91), id: late } });
  await rewriteSubjects();
  await removeOld();
  expect(await left()).toEqual([pending, late]);
  expect(removed).toMatchObject({ webhook_deliveries: 1, webhook_events: 0 });
  expect(await db.webhookDeliverySubject.count({ where: { firstDeliveryId: old } })).toBe(2);

  // The last one of them removes the event, and the subjects of all three.
  await db.pendingDelivery.deleteMany();
  await db.webhookDelivery.updateMany({ data: { deliveredAt: ago(91) } });
  await removeOld();
  expect([await left(), await db.webhookEvent.count(), await db.webhookDeliverySubject.count()]).toEqual([
    [],
    0,
    0,
  ]);
});

test('the age of a delivery counts from its end, even if it was on hold for long', async () => {
  const { db } = database;
  const late = [
    await addDelivery(db, endpointId, delivered(1, 300)),
    await addDelivery(db, endpointId, dead(300)),
  ];
  await addAttempt(late[1]!, 1);
  // Something is old, so retention visits the workspace.
  await addDelivery(db, endpointId, delivered(91));
  await removeOld();
  expect(await left()).toEqual(late);
});

test('more than a batch is removed in every workspace, and dead letters that stay are passed over', async () => {
  const { db } = database;
  const staying = await addDeliveries(db, endpointId, RETENTION_BATCH, dead(95));
  await db.webhookAttempt.createMany({
    data: staying.map((deliveryId) => ({
      companyId: COMPANY,
      deliveryId,
      number: 1,
      startedAt: ago(1),
      durationMs: 1,
    })),
  });
  await addDeliveries(db, endpointId, RETENTION_BATCH + 1, dead(94));
  await addDeliveries(db, endpointId, RETENTION_BATCH + 1, delivered(94));
  for (const companyId of [NEIGHBOUR, LAST]) {
    const elsewhere = await addEndpoint(db, { companyId });
    await addDelivery(db, elsewhere, { companyId, ...delivered(94) });
  }
  await removeOld();
  expect(await left()).toEqual(staying);
});

test('removal deletes counts that are no longer shown, adds old hours to their days, and keeps the others', async () => {
  const { db } = database;
  const apiKeyId = 7;
  await addKey(db, 1, { id: apiKeyId });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const DAY = 24 * 60;
  const counts = { companyId: 1, endpointId, delivered: 1, failed: 2, durationMs: 30n, slowestMs: 20 };
  const midnight = (days: number) => Math.floor(Date.now() / 86_400_000 - days) * 86_400_000;
  const at9Days = (hours: number) => new Date(midnight(9) + hours * 3_600_000);
  await db.attemptCount.createMany({
    data: [
      ...[0, 179, 181, 100 * DAY].map((minutes) => ({
        ...counts,
        width: 'minute' as const,
        at: minutesAgo(minutes),
      })),
      ...[0, 181, 8 * DAY - 1, 92 * DAY].map((minutes) => ({
        ...counts,
        width: 'hour' as const,
        at: minutesAgo(minutes),
      })),
      { ...counts, width: 'hour', at: at9Days(0), notSent: 3, dead: 4, untimed: 2 },
      { ...counts, width: 'hour', at: at9Days(23), slowestMs: 90 },
      { ...counts, width: 'day', at: at9Days(0), slowestMs: 50, untimed: 1 },
      ...[60, 89, 91].map((days) => ({ ...counts, width: 'day' as const, at: new Date(midnight(days)) })),
    ],
  });
  await db.apiKeyDay.createMany({
    data: [0, 90, 91].map((days) => ({ companyId: 1, apiKeyId, day: minutesAgo(days * DAY) })),
  });
  const retention = keepRemoving(context());
  await until('the old counts to be removed', async () => (await db.apiKeyDay.count()) === 2);
  await retention.stop();
  const kept = await db.attemptCount.findMany({ orderBy: [{ width: 'asc' }, { at: 'desc' }] });
  const days = kept.filter(({ width }) => width === 'day');
  expect(days.map(({ at }) => at.getTime())).toEqual([9, 60, 89].map(midnight));
  // The slowest duration of a day is the maximum of its rows. All other columns are sums.
  const sums = { delivered: 3, failed: 6, notSent: 3, dead: 4, untimed: 3, durationMs: 90n, slowestMs: 90 };
  expect(days[0]).toMatchObject(sums);
  const others = kept.filter(({ width }) => width !== 'day');
  expect(others.map(({ width, at }) => [width, Math.floor((Date.now() - at.getTime()) / 60_000)])).toEqual([
    ['minute', 0],
    ['minute', 179],
    ['hour', 0],
    ['hour', 181],
    ['hour', 8 * DAY - 1],
  ]);
});

test('removal rests after each batch and pauses after a pass, and stops during both', async () => {
  const { db } = database;
  const SLOW_MS = 50;
  await addDeliveries(db, endpointId, RETENTION_BATCH + 1, delivered(91));
  await db.$executeRawUnsafe(`
    CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(${SLOW_MS / 1_000}); RETURN NULL; END $$;`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER slow_down AFTER DELETE ON webhook_deliveries FOR EACH STATEMENT EXECUTE FUNCTION slow_down()`);
  const batches: { rows: number; atMs: number }[] = [];
  const onRemoved: RetentionContext['onRemoved'] = (table, rows) => {
    if (table === 'webhook_deliveries') batches.push({ rows, atMs: performance.now() });
  };
  const retention = keepRemoving(context({ onRemoved }));
  try {
    await until('both batches to be removed', () => batches.length === 2);
    expect(batches.map(({ rows }) => rows)).toEqual([RETENTION_BATCH, 1]);
    expect(batches[1]!.atMs - batches[0]!.atMs).toBeGreaterThan(10 * SLOW_MS);
    await addDelivery(db, endpointId, delivered(91));
    // Longer than the rest after the last batch.
    await sleep(20 * SLOW_MS);
    await retention.stop();
    expect(await left()).toHaveLength(1);
  } finally {
    await retention.stop();
    await db.$executeRaw`DROP FUNCTION slow_down CASCADE`;
  }
});

test('rows that cannot be removed do not block other workspaces', async () => {
  const { db } = database;
  const stuck = await addDelivery(db, endpointId, delivered(91));
  const elsewhere = await addEndpoint(db, { companyId: NEIGHBOUR });
  await addDelivery(db, elsewhere, { companyId: NEIGHBOUR, ...delivered(91) });
  const record = { action: 'webhook.created', objectType: 'webhook', objectId: '1', at: ago(91) };
  await db.auditRecord.createMany({
    data: [COMPANY, NEIGHBOUR].map((companyId) => ({ ...record, companyId, id: feedId(record.at) })),
  });
  // For example because another table refers to these rows.
  await db.$executeRawUnsafe(`
    CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'in use by %', TG_TABLE_NAME; END $$`);
  for (const table of ['webhook_deliveries', 'audit_records']) {
    await db.$executeRawUnsafe(`
      CREATE TRIGGER refuse_removal BEFORE DELETE ON ${table} FOR EACH ROW
      WHEN (OLD.company_id = ${COMPANY}) EXECUTE FUNCTION refuse_removal()`);
  }
  try {
    const failures: unknown[] = [];
    await removeOld({ auditRetentionDays: 90, onError: (error) => failures.push(error) });
    expect(await db.auditRecord.count()).toBe(1);
    expect(await left()).toEqual([stuck]);
    // A failure is reported, once for each table in each pass.
    expect(failures.map(String)).toEqual([
      expect.stringContaining('in use by webhook_deliveries'),
      expect.stringContaining('in use by audit_records'),
    ]);
  } finally {
    await db.$executeRaw`DROP FUNCTION refuse_removal CASCADE`;
  }
});

test('0 days keep everything, and audit records have a separate period', async () => {
  const { db } = database;
  const kept = await addDelivery(db, endpointId, delivered(5_000));
  const record = { companyId: COMPANY, action: 'webhook.created', objectType: 'webhook', objectId: '1' };
  await db.auditRecord.createMany({
    data: [
      ...Array.from({ length: 501 }, () => ({ ...record, id: feedId(ago(31)), at: ago(31) })),
      { ...record, companyId: LAST, id: feedId(ago(31)), at: ago(31) },
      { ...record, id: feedId(ago(29)), at: ago(29) },
    ],
  });
  await removeOld({ retentionDays: 0 });
  expect(await db.auditRecord.count()).toBe(503);
  await removeOld({ retentionDays: 0, auditRetentionDays: 30 });
  expect(await db.auditRecord.findMany()).toMatchObject([{ at: expect.any(Date) }]);
  expect(removed).toEqual({
    webhook_deliveries: 0,
    webhook_attempts: 0,
    webhook_events: 0,
    audit_records: 502,
  });
  expect(await left()).toEqual([kept]);
});

describe('changes by an admin during retention', () => {
  test('a delivery that is being resent stays with its event', async () => {
    const { db } = database;
    const old = await addDelivery(db, endpointId, delivered(91));
    const resent = await inFeedTransaction(db, COMPANY, async (feed) => {
      const id = await resendDelivery(feed, endpointId, old);
      await removeOld();
      return id;
    });
    expect(await left()).toEqual([old, resent]);
    await removeOld();
    expect(await left()).toEqual([resent]);
    const again = await inFeedTransaction(db, COMPANY, (feed) => resendDelivery(feed, endpointId, old));
    expect(again).toBe('unknown');
  });

  test('a dead letter that is being retried stays', async () => {
    const { db } = database;
    const old = await addDelivery(db, endpointId, dead(91));
    await db.transaction(async (tx) => {
      expect(await retryDelivery(tx, COMPANY, endpointId, old)).toBe('retried');
      await removeOld();
    });
    await removeOld();
    expect(await left()).toEqual([old]);
  });
});
