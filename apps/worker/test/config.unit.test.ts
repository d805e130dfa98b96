import { expect, test } from '@jest/globals';
import { readConfig } from '../src/config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgresql://127.0.0.1/db',
  REDIS_URL: 'redis://127.0.0.1',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
};

test('by default a tick claims 50 deliveries every 15 seconds, and all of them can be attempted at once', () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    tickMs: 15_000,
    batch: 50,
    endpointLimit: 50,
    workspaceLimit: 75,
    concurrency: 100,
    webhooks: { timeoutMs: 10_000, maxAttempts: 8, disableAfter: 20 },
  });
});

test('each variable sets its own field', () => {
  const { webhooks, ...rest } = readConfig({
    ...REQUIRED,
    DATABASE_POOL_SIZE: '11',
    REDIS_PREFIX: 'eu',
    HOST: '::1',
    WORKER_PORT: '8080',
    DISPATCH_TICK_MS: '12',
    DISPATCH_WAKE: 'true',
    DISPATCH_BATCH: '13',
    DISPATCH_ENDPOINT_LIMIT: '14',
    WORKER_CONCURRENCY: '16',
    RETENTION_DAYS: '17',
    AUDIT_RETENTION_DAYS: '38',
    CONSOLE_URL: 'https://signals.example/console',
    OPERATOR_ALERTS_URL: 'http://mailer.internal/alerts',
    LOG_LEVEL: 'warn',
    WEBHOOK_MAX_ATTEMPTS: '19',
  });
  expect(rest).toEqual({
    databaseUrl: REQUIRED.DATABASE_URL,
    databasePoolSize: 11,
    redis: expect.objectContaining({ prefix: 'eu' }),
    host: '::1',
    port: 8080,
    tickMs: 12,
    wake: true,
    batch: 13,
    endpointLimit: 14,
    workspaceLimit: 21,
    concurrency: 16,
    auditRetentionDays: 38,
    consoleUrl: 'https://signals.example/console',
    operatorAlertsUrl: 'http://mailer.internal/alerts',
    logLevel: 'warn',
  });
  expect(webhooks).toMatchObject({ maxAttempts: 19, retentionDays: 17 });
});

test.each([
  'mailer.internal',
  'ftp://mailer.internal/',
  'https://',
  'http:///x',
  'https://me:token@mailer.internal/',
])('the URL for alerts of the operator is checked at the start: %s', (url) => {
  expect(() => readConfig({ ...REQUIRED, OPERATOR_ALERTS_URL: url })).toThrow(
    'OPERATOR_ALERTS_URL: must be a URL with http or https',
  );
});

test('a lease lasts three timeouts: for the queue, the attempt and a margin', () => {
  expect(readConfig({ ...REQUIRED, WEBHOOK_TIMEOUT_MS: '2000' }).webhooks.leaseMs).toBe(6_000);
});

test('a password of Redis may contain characters with a meaning in URLs', () => {
  expect(
    readConfig({ ...REQUIRED, REDIS_URL: 'redis://cache:6379', REDIS_PASSWORD: 'a/b+c=@#' }).redis.address,
  ).toMatchObject({ url: 'redis://:a%2Fb%2Bc%3D%40%23@cache:6379' });
});

test('all missing and invalid variables are reported together', () => {
  expect(() => readConfig({ WORKER_CONCURRENCY: 'many', REDIS_PREFIX: 'a b' })).toThrow(
    /DATABASE_URL: .*REDIS_URL: .*REDIS_PREFIX: .*WORKER_CONCURRENCY: .*SECRETS_KEY: /,
  );
});

test('variables that contradict each other are rejected', () => {
  expect(() => readConfig({ ...REQUIRED, REDIS_SENTINEL_PASSWORD: 'x' })).toThrow(
    'REDIS_SENTINEL_PASSWORD: ',
  );
});

test('finished deliveries are kept for 90 days by default, and audit records permanently', () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    webhooks: { retentionDays: 90 },
    auditRetentionDays: 0,
  });
});

test.each(['1', '29'])(
  'audit records cannot be removed after %s days: the database keeps them for 30',
  (days) => {
    expect(() => readConfig({ ...REQUIRED, AUDIT_RETENTION_DAYS: days })).toThrow(
      'AUDIT_RETENTION_DAYS: must be 0 or a whole number from 30 to 36500',
    );
  },
);

test('SECRETS_KEY may hold several keys with ids', () => {
  const SECRETS_KEY = `2027:${Buffer.alloc(32, 1).toString('hex')},${REQUIRED.SECRETS_KEY}`;
  const { secretKeys } = readConfig({ ...REQUIRED, SECRETS_KEY }).webhooks;
  expect(secretKeys).toEqual({
    current: { id: '2027', key: Buffer.alloc(32, 1) },
    named: new Map([['2027', Buffer.alloc(32, 1)]]),
    unnamed: Buffer.alloc(32),
  });
});

test('commits cannot wake a worker behind a pooler', () => {
  const DATABASE_URL = `${REQUIRED.DATABASE_URL}?pgbouncer=true`;
  expect(readConfig({ ...REQUIRED, DATABASE_URL }).wake).toBe(false);
  expect(() => readConfig({ ...REQUIRED, DATABASE_URL, DISPATCH_WAKE: 'true' })).toThrow(
    'configuration: DISPATCH_WAKE: must be false with pgbouncer=true in DATABASE_URL',
  );
});
