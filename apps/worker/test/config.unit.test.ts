import { expect, test } from '@jest/globals';
import { readConfig } from '../src/config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgresql://127.0.0.1/db',
  REDIS_URL: 'redis://127.0.0.1',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
};

test('the contract values are the defaults: 50 deliveries every 15 seconds, all of them side by side whosever they are', () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    tickMs: 15_000,
    batch: 50,
    endpointLimit: 50,
    concurrency: 100,
    webhooks: { timeoutMs: 10_000, maxAttempts: 8, disableAfter: 20 },
  });
});

test('a lease outlasts a wait in the queue and an attempt', () => {
  expect(readConfig({ ...REQUIRED, WEBHOOK_TIMEOUT_MS: '2000' }).webhooks.leaseMs).toBe(6_000);
});

test('everything that is missing or wrong is named at once', () => {
  expect(() => readConfig({ WORKER_CONCURRENCY: 'many', REDIS_PREFIX: 'a b' })).toThrow(
    /DATABASE_URL: .*REDIS_URL: .*REDIS_PREFIX: .*WORKER_CONCURRENCY: .*SECRETS_KEY: /,
  );
});
