import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { startTcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readMigrations } from '../../src/migrations/schema-files.ts';

// Both apps start in the same way: they wait for a database that is unavailable or not migrated, and exit if it is misconfigured.

let database: TestDatabase;
let redisUrl: string;
let names: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  redisUrl = await createTestRedis();
  names = (await readMigrations()).map(({ name }) => name);
});
afterAll(() => database.drop());

describe.each(['api', 'worker'] as const)('the %s', (app) => {
  /** Starts the app without a channel to a parent, and waits for its end. */
  async function runToEnd(databaseUrl: string) {
    const { NODE_OPTIONS: _jestFlags, ...inherited } = process.env;
    const main = path.join(currentTestRun().builtFolder, 'apps', app, 'dist/main.js');
    const child = spawn(process.execPath, ['--enable-source-maps', main], {
      env: {
        ...inherited,
        ...TEST_SECRETS,
        PORT: '0',
        WORKER_PORT: '0',
        SHUTDOWN_DELAY_MS: '0',
        LOG_LEVEL: 'error',
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { exitCode, stdout, stderr };
  }

  /** Runs the app on a database that statements have misconfigured. */
  async function runOnSpoilt(...statements: string[]) {
    const spoilt = await createTestDatabase();
    for (const statement of statements) await spoilt.db.$executeRawUnsafe(statement);
    const result = await runToEnd(spoilt.url);
    await spoilt.drop();
    return result;
  }

  const endsWith = (line: string) => ({ exitCode: 1, stdout: '', stderr: `${line}\n` });

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

  test('is not ready while its database lacks a migration, reports which, and is ready once that is applied', async () => {
    const behind = await createTestDatabase();
    const last = names.at(-1) ?? '';
    const history = async (change: string) =>
      behind.db.$executeRawUnsafe(`UPDATE _prisma_migrations SET ${change} WHERE migration_name = $1`, last);
    await history('finished_at = NULL');
    const env = { DATABASE_URL: behind.url, REDIS_URL: redisUrl, REDIS_PREFIX: `behind-${app}` };
    const running = await startApp(app, env, { waitUntilReady: false });
    const probe = async () => {
      const response = await fetch(`${running.url}/readyz`);
      return { status: response.status, body: (await response.json()) as object };
    };
    const isBehind = { status: 503, body: { ok: false, failing: ['migrations'], missingMigrations: [last] } };
    const untilProbe = (expected: object) =>
      until('the probe', async () => {
        expect(await probe()).toEqual(expected);
        return true;
      });
    await running.waitForOutput(`the database is not migrated, it lacks ${last}: run`);
    await untilProbe(isBehind);
    await history('finished_at = now()');
    await untilProbe({ status: 200, body: { ok: true } });

    // As after a restore of a backup from before the migration: a statement that needs it fails.
    const table = app === 'api' ? 'api_keys' : 'webhook_endpoints';
    await behind.db.$executeRawUnsafe(`ALTER TABLE ${table} RENAME TO not_yet`);
    await history('finished_at = NULL');
    const key = `Bearer dsk_live_${'0'.repeat(43)}`;
    const stop = new AbortController();
    // A worker runs statements of its own all the time.
    if (app === 'worker') stop.abort();
    const requests = (async () => {
      while (!stop.signal.aborted) {
        await (await fetch(`${running.baseUrl}/calls`, { headers: { authorization: key } })).text();
        await sleep(100);
      }
    })();
    await untilProbe(isBehind);
    stop.abort();
    await requests;
    await behind.db.$executeRawUnsafe(`ALTER TABLE not_yet RENAME TO ${table}`);
    await history('finished_at = now()');
    await untilProbe({ status: 200, body: { ok: true } });
    expect(await running.stop()).toBe(0);
    await behind.drop();
  });

  test('is not ready before its database is available, and ready from then on', async () => {
    const proxy = await startTcpProxy(database.url);
    await proxy.cut();
    const env = { DATABASE_URL: proxy.url, REDIS_URL: redisUrl, REDIS_PREFIX: `start-up-${app}` };
    const running = await startApp(app, env, { waitUntilReady: false });
    await running.waitForOutput('"message":"waiting for the database"');
    const statusOf = async (probed: string) => (await fetch(`${running.url}${probed}`)).status;
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
    await proxy.restore();
    await until('readiness', async () => (await statusOf('/readyz')) === 200);
    expect(await running.stop()).toBe(0);
    expect(running.output()).not.toContain('"level":"error"');
    await proxy.cut();
  });

  test.each(['refuses connections', 'is silent'])(
    'exits cleanly when it is told to stop while its database %s',
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
