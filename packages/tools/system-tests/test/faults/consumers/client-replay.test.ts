import path from 'node:path';
import { openSqliteStore, type SqliteStore } from 'deal-signals/stores/sqlite-store';
import { applyEvent } from 'deal-signals/webhooks/apply-webhook';
import { expressHandler } from 'deal-signals/webhooks/express';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { startReceiver, type Receiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../../../../clients/typescript/test/temporary-folder.ts';
import { manage, createKey, servedRecords } from '../../client/api-world.ts';
import { FEEDS, sqliteCopy } from '../../client/copies.ts';
import { type Running, startCommand } from '../../client/run.ts';
import { changeOfWeek, WEEK_STEPS } from '../../system/week-of-changes.ts';

const KILLS = 12;
/** The statements after which each process is killed, from its start through the first pages. A page has about ten. */
const FIRST_STATEMENT = 10;
const LAST_STATEMENT = 90;
const SEED = 12;
const KILL_AT_STATEMENT = path.join(
  REPOSITORY_ROOT,
  'packages/clients/typescript/test/stores/kill-at-statement.mjs',
);

let database: TestDatabase;
let api: RunningApp;
let access: Record<string, string>;
let receiver: Receiver;
let store: SqliteStore;
const copy = sqliteCopy(path.join(temporaryFolder(), 'deals.db'));

beforeAll(async () => {
  database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    DISPATCH_BATCH: '500',
  };
  await capture(database.db, { record: 'company', id: COMPANY, name: 'Acme' });
  api = await startApp('api', env);
  await startApp('worker', env);
  access = { DEAL_SIGNALS_URL: api.baseUrl, DEAL_SIGNALS_API_KEY: await createKey(api) };
  receiver = await startReceiver();
  store = await openSqliteStore(copy.target.replace('sqlite:', ''));
  // Creates the tables.
  for (const feed of FEEDS) await store.readCursor(feed);
});

afterAll(async () => {
  await store.close();
  await receiver.close();
  await database.drop();
});

/** Receives webhooks with the kit, and loses a fifth of them after acknowledging them. */
async function receiveWebhooks(): Promise<{ handled: number; lost: number; problems: unknown[] }> {
  const random = randomNumbers(SEED);
  const { secret } = await manage(api, '/webhooks', { url: receiver.url, events: ['*'] });
  const counts = { handled: 0, lost: 0, problems: [] as unknown[] };
  const handler = expressHandler({
    secrets: secret,
    async onEvent(event) {
      await applyEvent(store, event);
      counts.handled += 1;
    },
    onProblem: (problem) => counts.problems.push(problem),
  });
  receiver.respond(({ rawBody }, { request, response }) => {
    if (random(5) > 0) return handler(Object.assign(request, { rawBody }), response);
    counts.lost += 1;
    response.writeHead(204).end();
  });
  return counts;
}

function startSync(options: readonly string[], env: Record<string, string> = {}): Running {
  return startCommand(['sync', '--to', copy.target, '--page-size', '7', ...options], { ...access, ...env });
}

test('a copy by the kit during a week of changes equals the source, although its process is killed repeatedly and webhooks are lost', async () => {
  const random = randomNumbers(SEED);
  const webhooks = await receiveWebhooks();
  let kills = 0;

  async function captureWeek(): Promise<void> {
    for (let step = 0; step < WEEK_STEPS; step += 1) {
      // Each process handles a part of the week.
      await until('the next kill', () => kills >= Math.floor((step * KILLS) / WEEK_STEPS));
      await capture(database.db, ...changeOfWeek(step, random));
    }
  }

  async function keepKilling(): Promise<void> {
    const statements = randomNumbers(SEED);
    while (kills < KILLS) {
      const sync = startSync(['--follow', '--poll-seconds', '0.1'], {
        NODE_OPTIONS: `--import=${KILL_AT_STATEMENT}`,
        KILL_AT_STATEMENT: String(FIRST_STATEMENT + statements(LAST_STATEMENT - FIRST_STATEMENT)),
      });
      // The process was killed before it was done.
      expect(await sync.ended).toMatchObject({ exitCode: null, stderr: '' });
      kills += 1;
    }
  }

  await Promise.all([captureWeek(), keepKilling()]);
  await until('all deliveries to be made', async () => (await database.db.pendingDelivery.count()) === 0);
  expect(await startSync([]).ended).toMatchObject({ exitCode: 0 });

  expect(webhooks.problems).toEqual([]);
  expect(webhooks.handled).toBeGreaterThan(webhooks.lost);
  expect(webhooks.lost).toBeGreaterThan(0);
  for (const feed of FEEDS) {
    const source = await servedRecords(api, access['DEAL_SIGNALS_API_KEY'] ?? '', feed);
    expect([feed, source.size > 0]).toEqual([feed, true]);
    expect([feed, await copy.read(feed)]).toEqual([feed, source]);
  }
});
