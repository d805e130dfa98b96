import { startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('each app names the variables of a shared environment that are meant for it but are not settings', async () => {
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    // Settings of one app each.
    DISPATCH_BATCH: '10',
    AUDIT_RETENTION_DAYS: '30',
    CAPTURE_PORT: '0',
    CAPTURE_TOKENS: 'a'.repeat(32),
    SESSION_JWT_ISSUER: 'login',
    // Not settings.
    CAPTURE_HOST: '10.0.0.1',
    CAPTURE_STREAMS: '5',
    SESSION_JWT_KEY: 'key',
    WEBHOOK_DISABLE_AFTER: '5',
    RATE_LIMIT_PER_SECOND: '5',
    DISPATCH_WORKSPACE_LIMIT: '5',
    WEBHOOK_TIMEOUT: '5',
    // Variables of other programs.
    CAPTURE_PORT_3003_TCP: 'tcp://10.0.0.1:3003',
    CAPTURE_SERVICE_HOST: '10.0.0.1',
    DATABASE_REPLICA_URL: 'postgres://elsewhere/db',
    REDIS_PORT: 'tcp://10.0.0.2:6379',
    SESSION_MANAGER: 'local/desktop:@/tmp/.ICE-unix/1',
    WEBHOOK_SECRET: 'of another program',
    WORKER_ID: '1',
  };
  const expected = {
    api: [
      'CAPTURE_HOST',
      'CAPTURE_STREAMS',
      'RATE_LIMIT_PER_SECOND',
      'SESSION_JWT_KEY',
      'WEBHOOK_DISABLE_AFTER',
      'WEBHOOK_TIMEOUT',
    ],
    worker: ['DISPATCH_WORKSPACE_LIMIT', 'WEBHOOK_DISABLE_AFTER', 'WEBHOOK_TIMEOUT'],
  };
  for (const app of ['api', 'worker'] as const) {
    const running = await startApp(app, environment);
    const warnings = running
      .output()
      .split('\n')
      .filter((line) => line.includes('"unknown"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(warnings).toEqual([
      expect.objectContaining({
        app,
        level: 'warn',
        message: 'unknown settings have no effect',
        unknown: expected[app],
      }),
    ]);
  }
});

test('an environment of settings and empty variables causes no warning', async () => {
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    CAPTURE_STREAMS: '',
    DISPATCH_WORKSPACE_LIMIT: '',
  };
  for (const app of ['api', 'worker'] as const) {
    const running = await startApp(app, environment);
    expect(running.output()).not.toContain('"level":"warn"');
  }
});
