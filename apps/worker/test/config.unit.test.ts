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

test('a lease lasts three timeouts: for the queue, the attempt and a margin', () => {
  expect(readConfig({ ...REQUIRED, WEBHOOK_TIMEOUT_MS: '2000' }).webhooks.leaseMs).toBe(6_000);
});

test('all missing and invalid variables are reported together', () => {
  expect(() => readConfig({ WORKER_CONCURRENCY: 'many', REDIS_PREFIX: 'a b' })).toThrow(
    /DATABASE_URL: .*REDIS_URL: .*REDIS_PREFIX: .*WORKER_CONCURRENCY: .*SECRETS_KEY: /,
  );
});
