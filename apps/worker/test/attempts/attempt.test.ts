import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createAttemptMetrics } from '@deal-signals/deliveries/attempts/attempt-metrics';
import { Database } from '@deal-signals/db/database';
import { beginAttemptsInBatches } from '@deal-signals/deliveries/attempts/begin-attempt';
import { recordOutcomesInBatches } from '@deal-signals/deliveries/attempts/record-outcomes';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { claimReady } from '@deal-signals/deliveries/claims/claim-ready';
import { createLogger } from '@deal-signals/runtime/logger';
import { createSender, type Sender } from '@deal-signals/sending/guard/guarded-send';
import { secretKeys, singleKey } from '@deal-signals/sending/secrets/secret-keys';
import { type Receiver, startReceiver, testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { TEST_LIMITS } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import {
  addDelivery,
  addEndpoint,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { type RunContext, runAttempt } from '../../src/attempts/run-attempt.ts';

// Attempts that do not reach an outcome. The others are tested with whole workers.

const LEASE_MS = 30_000;
const ONE = { batch: 1, endpointLimit: 1, workspaceLimit: 1, leaseMs: LEASE_MS };
const UNTOUCHED = { status: 'pending', attempts: 0, attemptLog: [] } as const;
const RELEASED = { ...UNTOUCHED, ready: true, claimToken: null, leaseExpiresAt: null } as const;

const database = emptiedDatabase((db) => addCompany(db));
let receiver: Receiver;
let sender: Sender;
let endpointId: number;
let queued: Claim;

beforeEach(async () => {
  receiver = await startReceiver();
  const allowedPrivateHosts = new Set(['127.0.0.1']);
  const ca = readFileSync(testCaFile(), 'utf8');
  sender = createSender({ timeoutMs: 10_000, ca, allowedPrivateHosts });
  endpointId = await addEndpoint(database.db, { url: receiver.url });
  await addDelivery(database.db, endpointId);
  const {
    claims: [claim],
  } = await claimReady(database.db, ONE);
  queued = claim!;
});
afterEach(async () => {
  sender.close();
  await receiver.close();
});

const context = (patch: Partial<RunContext> = {}): RunContext => {
  const settings = patch.settings ?? {
    secretKeys: secretKeys.parse(TEST_SECRETS.SECRETS_KEY),
    retryScheduleMs: [50],
    maxAttempts: 8,
    timeoutMs: 10_000,
    disableAfter: 20,
    disableMinOutageMs: 0,
    retentionDays: 90,
    verifyEndpoints: false,
    allowedPrivateHosts: new Set(['127.0.0.1']),
    allowedPorts: null,
    ca: null,
    proxy: null,
    leaseMs: LEASE_MS,
    leaseNeededMs: 0,
  };
  return {
    db: database.db,
    begin: beginAttemptsInBatches(database.db, settings),
    record: recordOutcomesInBatches(database.db, settings),
    sender,
    settings,
    metrics: createAttemptMetrics(new Registry()),
    logger: createLogger('test', 'error'),
    isDraining: () => false,
    ...patch,
  };
};

test('a job that starts while the process drains releases its claim', async () => {
  await runAttempt(context({ isDraining: () => true }), queued);
  expect(await readDelivery(database.db, queued.deliveryId)).toMatchObject(RELEASED);
  expect(receiver.requests).toHaveLength(0);
});

test('an attempt that a shutdown interrupts is not recorded and releases its claim', async () => {
  receiver.respond('hang');
  const running = runAttempt(context(), queued);
  await receiver.waitFor(1);
  sender.close();
  await running;
  expect(await readDelivery(database.db, queued.deliveryId)).toMatchObject(RELEASED);
  expect(await readEndpoint(database.db, endpointId)).toMatchObject({
    consecutiveFailures: 0,
    lastErrorAt: null,
  });
});

test('a job that runs twice sends once', async () => {
  await runAttempt(context(), queued);
  const delivered = await readDelivery(database.db, queued.deliveryId);
  expect(delivered).toMatchObject({ status: 'delivered', attempts: 1 });
  await runAttempt(context(), queued);
  expect(await readDelivery(database.db, queued.deliveryId)).toEqual(delivered);
  expect(receiver.requests).toHaveLength(1);
});

test('attempts are numbered over all schedules, and counted within the current one', async () => {
  receiver.respond(500);
  await runAttempt(context(), queued);
  // A manual retry of a dead delivery has the same effect.
  const { deliveryId } = queued;
  await database.db.pendingDelivery.updateMany({
    where: { id: deliveryId },
    data: { attempts: 0, ready: true },
  });
  const {
    claims: [again],
  } = await claimReady(database.db, ONE);
  await runAttempt(context(), again!);
  const { attempts, attemptLog } = await readDelivery(database.db, deliveryId);
  expect([attempts, attemptLog.map(({ number }) => number)]).toEqual([1, [1, 2]]);
});

test('an attempt whose secret cannot be decrypted is neither sent nor recorded, and keeps its claim', async () => {
  const settings = { ...context().settings, secretKeys: singleKey(randomBytes(32)) };
  await expect(runAttempt(context({ settings }), queued)).rejects.toThrow('SECRETS_KEY');
  expect(await readDelivery(database.db, queued.deliveryId)).toMatchObject({
    ...UNTOUCHED,
    ready: false,
    leaseExpiresAt: expect.any(Date),
  });
  expect(receiver.requests).toHaveLength(0);
});

test('an outcome is recorded later when the database is too busy, and the receiver gets the event once', async () => {
  const { db, url } = database;
  const hasty = new Database({
    url,
    poolSize: 2,
    applicationName: 'test',
    ...TEST_LIMITS,
    lockTimeoutMs: 100,
  });
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('test', 'warn');
  logger.on('data', (line: Record<string, unknown>) => lines.push(line));
  logger.transports.forEach((transport) => (transport.silent = true));
  const record = recordOutcomesInBatches(hasty, context().settings);
  let running: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE`;
    running = runAttempt(context({ logger, record }), queued);
    await until('the first try to fail', () => lines.at(-1)?.message === 'outcome not recorded yet');
  });
  await running;
  expect(lines.filter(({ message }) => message === 'attempt')).toMatchObject([{ outcome: 'delivered' }]);
  expect(await readDelivery(db, queued.deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(receiver.requests).toHaveLength(1);
  await hasty.close();
});

test('an attempt whose outcome cannot be written is logged, and keeps its claim', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('test', 'error');
  logger.on('data', (line: Record<string, unknown>) => lines.push(line));
  logger.transports.forEach((transport) => (transport.silent = true));
  const registry = new Registry();
  const metrics = createAttemptMetrics(registry);
  const settings = { ...context().settings, leaseMs: 100 };
  await database.db.$executeRaw`ALTER TABLE webhook_endpoints RENAME last_success_at TO renamed`;
  await expect(runAttempt(context({ logger, metrics, settings }), queued)).rejects.toThrow('last_success_at');
  expect(receiver.requests).toHaveLength(1);
  expect(lines).toMatchObject([
    {
      message: 'attempt',
      level: 'error',
      deliveryId: String(queued.deliveryId),
      outcome: 'lost',
      statusCode: 200,
      error: expect.stringContaining('last_success_at'),
    },
  ]);
  expect(await registry.getSingleMetricAsString('deal_signals_attempts_total')).toContain(
    'deal_signals_attempts_total{outcome="lost"} 1',
  );
  expect(
    await database.db.pendingDelivery.findFirstOrThrow({ where: { id: queued.deliveryId } }),
  ).toMatchObject({
    attempts: 0,
    ready: false,
    claimToken: expect.any(String),
  });
});
