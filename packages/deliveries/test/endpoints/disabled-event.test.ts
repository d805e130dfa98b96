import { Database } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { TEST_LIMITS } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import {
  addAttempt,
  addDelivery,
  addEndpoint,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { expect, test } from '@jest/globals';
import { beginAttempt } from '../../src/attempts/begin-attempt.ts';
import type { AttemptResult } from '../../src/attempts/outcome.ts';
import { recordOutcome } from '../../src/attempts/record-outcomes.ts';
import { recordOutcomesInBatches } from '../../src/attempts/record-outcomes.ts';
import { claimReady } from '../../src/claims/claim-ready.ts';
import { disableEndpoint } from '../../src/endpoints/change-state.ts';

const TYPE = 'webhook.endpoint.disabled';
const RULES = { retryScheduleMs: [30_000], maxAttempts: 3, disableAfter: 20, disableMinOutageMs: 0 };
const LEASE_MS = 60_000;
const GONE: AttemptResult = { kind: 'responded', status: 410, excerpt: '', durationMs: 12 };
const TIMEOUT: AttemptResult = { kind: 'failed', error: 'timeout after 10000 ms', durationMs: 10_000 };

const database = emptiedDatabase((db) => addCompany(db));

/** The deliveries of the event, in id order. */
async function announced() {
  const { db } = database;
  const rows = await db.delivery.findMany({ where: { eventType: TYPE }, orderBy: { id: 'asc' } });
  return Promise.all(rows.map(({ id }) => readDelivery(db, id)));
}

const failAt = async (endpointId: number, result: AttemptResult) =>
  recordOutcome(database.db, RULES, await addAttempt(database.db, endpointId), result);

test.each([
  ['gone', GONE, 4],
  ['failures', TIMEOUT, 19],
] as const)(
  'the other endpoints that subscribe to it or to all events get it, with the facts of the audit log: %s',
  async (reason, result, failuresBefore) => {
    const { db } = database;
    const failing = await addEndpoint(db, {
      url: 'https://hooks.example:8443/secret/path?token=secret',
      consecutiveFailures: failuresBefore,
    });
    const [all, named] = [await addEndpoint(db), await addEndpoint(db, { events: [TYPE] })];
    await addEndpoint(db, { events: EVENT_TYPES.filter((type) => type !== TYPE) });
    await addEndpoint(db, { enabled: false });
    await addCompany(db, 2);
    await addEndpoint(db, { companyId: 2 });

    expect(await failAt(failing, result)).toMatchObject({ written: true, endpointDisabled: true });
    const deliveries = await announced();
    const state = { status: 'pending', ready: true, attempts: 0 };
    expect(deliveries).toMatchObject([
      { endpointId: all, ...state },
      { endpointId: named, ...state },
    ]);
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(1);
    const record = await db.auditRecord.findFirstOrThrow({ where: { action: 'webhook.disabled' } });
    const { disabledReason } = await readEndpoint(db, failing);
    const { type, data } = JSON.parse(deliveries[0]!.event.body);
    expect(type).toBe(TYPE);
    expect(data).toEqual({
      endpointId: failing,
      host: 'hooks.example:8443',
      reason,
      disabledReason,
      disabledAt: record.at.toISOString(),
      consecutiveFailures: failuresBefore + 1,
    });
    expect(record.details).toEqual({ reason: data.reason, consecutiveFailures: data.consecutiveFailures });
  },
);

test('it is recorded once when many attempts of two workers end at the same time', async () => {
  const { db } = database;
  const failing = await addEndpoint(db);
  const other = await addEndpoint(db, { events: [TYPE] });
  const attempts = await Promise.all(Array.from({ length: 40 }, () => addAttempt(db, failing)));
  const workers = [1, 2].map(
    () => new Database({ url: database.url, poolSize: 4, applicationName: 'worker', ...TEST_LIMITS }),
  );
  try {
    const records = workers.map((worker) => recordOutcomesInBatches(worker, RULES));
    const recorded = await Promise.all(attempts.map((attempt, n) => records[n % 2]!(attempt, TIMEOUT)));
    expect(recorded.filter((one) => one.written && one.endpointDisabled)).toHaveLength(1);
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
  expect(await announced()).toMatchObject([{ endpointId: other }]);
  expect(await db.auditRecord.count()).toBe(1);
});

test('when two endpoints are disabled at the same time, one is notified about the other, and that delivery is on hold', async () => {
  const { db } = database;
  const failing = [await addEndpoint(db), await addEndpoint(db)];
  const third = await addEndpoint(db);
  await Promise.all(failing.map((endpointId) => failAt(endpointId, GONE)));
  const deliveries = await announced();
  const of = (wanted: readonly number[]) =>
    deliveries.filter(({ endpointId }) => wanted.includes(endpointId));
  expect(of([third])).toHaveLength(2);
  expect(of(failing)).toMatchObject([{ status: 'pending', nextAttemptAt: null, ready: false }]);
  expect(deliveries).toHaveLength(3);
});

test('if every endpoint rejects it, each is disabled once, and then nothing more is sent', async () => {
  const { db } = database;
  const endpointIds: number[] = [];
  for (let n = 0; n < 6; n += 1) endpointIds.push(await addEndpoint(db));
  await addDelivery(db, endpointIds[0]!);
  let attempts = 0;
  for (;;) {
    const limits = { batch: 50, endpointLimit: 50, workspaceLimit: 50, leaseMs: LEASE_MS };
    const { claims } = await claimReady(db, limits);
    if (claims.length === 0) break;
    for (const claim of claims) {
      const begun = await beginAttempt(db, claim, { leaseMs: LEASE_MS, leaseNeededMs: 0 });
      if (begun.kind !== 'begun') continue;
      attempts += 1;
      await recordOutcome(db, RULES, begun.attempt, GONE);
    }
  }
  expect(attempts).toBe(6);
  expect(await db.webhookEndpoint.count({ where: { enabled: true } })).toBe(0);
  expect(await db.auditRecord.count()).toBe(6);
  // When the last one was disabled, no endpoint was left to notify.
  expect(await announced()).toHaveLength(5 + 4 + 3 + 2 + 1);
  expect(await db.webhookEvent.count({ where: { type: TYPE } })).toBe(5);
});

test('if it cannot be recorded, the endpoint stays enabled until the outcome is recorded again', async () => {
  const { db } = database;
  const failing = await addEndpoint(db);
  await addEndpoint(db);
  const attempt = await addAttempt(db, failing);
  await db.$executeRaw`
    ALTER TABLE webhook_events ADD CONSTRAINT broken CHECK (type <> 'webhook.endpoint.disabled')`;
  await expect(recordOutcome(db, RULES, attempt, GONE)).rejects.toThrow(/broken/);
  expect(await readEndpoint(db, failing)).toMatchObject({ enabled: true, consecutiveFailures: 0 });
  expect([await db.webhookAttempt.count(), await db.auditRecord.count()]).toEqual([0, 0]);
  await db.$executeRaw`ALTER TABLE webhook_events DROP CONSTRAINT broken`;
  expect(await recordOutcome(db, RULES, attempt, GONE)).toMatchObject({ endpointDisabled: true });
  expect(await announced()).toHaveLength(1);
});

test('its delivery comes after the deliveries of a transaction that holds the feed clock', async () => {
  const { db } = database;
  const failing = await addEndpoint(db);
  const other = await addEndpoint(db);
  const attempt = await addAttempt(db, failing);
  let recording: Promise<unknown> | undefined;
  const written = await inFeedTransaction(db, COMPANY, async ({ tx }) => {
    recording = recordOutcome(db, RULES, attempt, GONE);
    await until('the outcome to wait for the clock', async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    // It waits without the locks that come after the clock.
    await tx.$executeRaw`SET LOCAL lock_timeout = 5000`;
    await tx.$queryRaw`SELECT id FROM companies WHERE id = ${COMPANY} FOR NO KEY UPDATE`;
    await tx.$queryRaw`SELECT id FROM webhook_endpoints WHERE id = ${failing} FOR NO KEY UPDATE`;
    return addDelivery(tx as unknown as Database, other);
  });
  expect(await recording).toMatchObject({ endpointDisabled: true });
  const [delivery] = await announced();
  expect(delivery?.id).toBeGreaterThan(written);
});

test('disabling an endpoint by an admin causes no event, and neither does switching off the API', async () => {
  const { db } = database;
  const [byAdmin, failing] = [await addEndpoint(db), await addEndpoint(db)];
  await addEndpoint(db);
  await db.transaction((tx) => disableEndpoint(tx, COMPANY, byAdmin, 'disabled by an admin'));
  await db.company.update({ where: { id: COMPANY }, data: { apiEnabled: false } });
  expect(await failAt(failing, GONE)).toMatchObject({ endpointDisabled: true });
  expect(await announced()).toEqual([]);
});
