import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp } from '../../src/processes.ts';
import { type TestDatabase, createTestDatabase } from '../../src/test-database.ts';
import { createTestRedis } from '../../src/test-redis.ts';

let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() };
});

afterAll(() => database.drop());

describe('startApp', () => {
  test('starts the API on its own port and stops it', async () => {
    const [one, other] = await Promise.all([startApp('api', env), startApp('api', env)]);
    expect(one.baseUrl).not.toBe(other.baseUrl);
    const response = await fetch(`${one.baseUrl}/status`);
    expect(response.status).toBe(401);
    expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
    expect(existsSync(`/proc/${one.pid}`)).toBe(false);
  });

  test('starts the worker, returns its output, and can kill it', async () => {
    const worker = await startApp('worker', env);
    await worker.waitForOutput(/worker ready/);
    await worker.kill9();
    expect(await worker.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  test('reports the output of an app that does not start', async () => {
    await expect(startApp('worker', { ...env, DISPATCH_TICK_MS: 'often' })).rejects.toThrow(
      /DISPATCH_TICK_MS/,
    );
    const failed = await startApp('api', { ...env, PORT: 'none' }, { waitUntilReady: false });
    expect(await failed.exited).toEqual({ exitCode: 1, signal: null });
    expect(failed.output()).toMatch(/PORT/);
  });
});
