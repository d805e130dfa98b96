import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { startTcpProxy } from '@deal-signals/test-kit/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readMigrationNames } from '../../src/migrations/migration-files.ts';

// Both apps start in the same way: they wait for a database that is unavailable, and end for one that is wrong.

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

let database: TestDatabase;
let redisUrl: string;
let names: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  redisUrl = await createTestRedis();
  names = await readMigrationNames();
});
afterAll(() => database.drop());

describe.each(['api', 'worker'] as const)('the %s', (app) => {
  /** Starts it without a channel to a parent, and waits for its end. */
  async function runToEnd(databaseUrl: string) {
    const { NODE_OPTIONS: _jestFlags, ...inherited } = process.env;
    const child = spawn(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', `apps/${app}/src/main.ts`],
      {
        cwd: ROOT,
        env: {
          ...inherited,
          ...TEST_SECRETS,
          PORT: '0',
          WORKER_PORT: '0',
          LOG_LEVEL: 'error',
          DATABASE_URL: databaseUrl,
          REDIS_URL: redisUrl,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { exitCode, stdout, stderr };
  }

  /** Runs it on a database that a statement has spoilt. */
  async function runOnSpoilt(...statements: string[]) {
    const spoilt = await createTestDatabase();
    for (const statement of statements) await spoilt.db.$executeRawUnsafe(statement);
    const result = await runToEnd(spoilt.url);
    await spoilt.drop();
    return result;
  }

  const endsWith = (line: string) => ({ exitCode: 1, stdout: '', stderr: `${line}\n` });

  test('ends with one line when the database was never migrated', async () => {
    expect(await runOnSpoilt('DROP SCHEMA public CASCADE', 'CREATE SCHEMA public')).toEqual(
      endsWith(
        `DATABASE_URL: the database is not migrated, it lacks ${names.join(', ')}: ` +
          'run "pnpm migrate", or the migrate image of this version',
      ),
    );
  });

  test('ends with one line when a migration has not finished', async () => {
    const last = names.at(-1);
    expect(
      await runOnSpoilt(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${last}'`),
    ).toEqual(
      endsWith(
        `DATABASE_URL: the database is not migrated, it lacks ${last}: ` +
          'run "pnpm migrate", or the migrate image of this version',
      ),
    );
  });

  test('ends with one line when the session time zone is not UTC', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c timezone=America/New_York');
    expect(await runToEnd(url.href)).toEqual(
      endsWith('DATABASE_URL: the session time zone must be UTC, not America/New_York'),
    );
  });

  test('ends with one line when the signing secrets were encrypted with another key', async () => {
    expect(
      await runOnSpoilt(
        `INSERT INTO companies (id, name) VALUES (1, 'Acme')`,
        `INSERT INTO webhook_endpoints (company_id, url, events, secret_ciphertext)
         VALUES (1, 'https://receiver.example', '{*}', '\\x00')`,
      ),
    ).toEqual(endsWith('SECRETS_KEY: does not decrypt the stored signing secrets'));
  });

  test('is not ready before its database is there, and ready from then on', async () => {
    const proxy = await startTcpProxy(database.url);
    await proxy.cut();
    const env = { DATABASE_URL: proxy.url, REDIS_URL: redisUrl, REDIS_PREFIX: `start-up-${app}` };
    const running = await startApp(app, env, { waitUntilReady: false });
    await running.waitForOutput('"message":"waiting for the database"');
    const statusOf = async (path: string) => (await fetch(`${running.url}${path}`)).status;
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
    await proxy.restore();
    await until('readiness', async () => (await statusOf('/readyz')) === 200);
    expect(await running.stop()).toBe(0);
    expect(running.output()).not.toContain('"level":"error"');
    await proxy.cut();
  });

  test.each(['refuses connections', 'is silent'])(
    'ends in order when it is told to while its database %s',
    async (how) => {
      const proxy = await startTcpProxy(database.url);
      if (how === 'is silent') proxy.stall();
      else await proxy.cut();
      const env = { DATABASE_URL: proxy.url, REDIS_URL: redisUrl };
      const running = await startApp(app, env, { waitUntilReady: false });
      expect(await running.stop('SIGTERM')).toBe(0);
      expect(running.output()).toContain(`"message":"${app} stopped"`);
      await proxy.cut();
    },
  );
});
