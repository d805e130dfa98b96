import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import {
  CALL,
  capture,
  captureEvents,
  captureWorkspace,
  DOCUMENT,
  FORWARD,
  LINK,
  ROOM,
} from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { createClient } from 'deal-signals/client';
import type { Feed, FeedPage } from 'deal-signals/feeds/feeds';
import { followFeed } from 'deal-signals/feeds/follow-feed';
import { openSqlite } from 'deal-signals/stores/sqlite-driver';
import { openPostgresStore } from 'deal-signals/stores/postgres-store';
import { applyEvent, applyWebhook } from 'deal-signals/webhooks/apply-webhook';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, servedRecords, startApi } from '../client/api-world.ts';
import { page, refuse, startScriptedApi } from '../../../../clients/typescript/test/feeds/scripted-api.ts';
import { temporaryFolder } from '../../../../clients/typescript/test/temporary-folder.ts';
import { APPLY_CASES, caseDelivery } from '../../../../clients/typescript/test/webhooks/apply-cases.ts';
import { type Copy, FEEDS, fileCopy, postgresCopy, sqliteCopy } from '../client/copies.ts';
import { run, startCommand } from '../client/run.ts';

const OTHER_COMPANY = 2002;

let database: TestDatabase;
let api: RunningApp;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await captureEvents(
    database.db,
    Array.from({ length: 1_200 }, (_, n) => `e${n}`),
  );
  await capture(
    database.db,
    { record: 'callSummary', callId: CALL, summary: { headline: 'They want it' } },
    { record: 'event', key: 'forward', type: 'forward', occurredAt: '2026-09-02', distributionId: FORWARD },
    view('v1'),
    contract('sent'),
  );
  await capture(database.db, {
    record: 'company',
    companyId: OTHER_COMPANY,
    id: OTHER_COMPANY,
    name: 'Other',
  } as never);
  api = await startApi(database.url);
  key = await createKey(api);
  await database.db.$executeRaw`CREATE SCHEMA copy`;
});

afterAll(() => database.drop());

const view = (name: string) => ({
  record: 'view' as const,
  key: name,
  distributionId: LINK,
  startedAt: '2026-09-02T10:00:00Z',
  endedAt: '2026-09-02T10:05:00Z',
  segments: [[0, 60]] as [number, number][],
});

const contract = (status: 'sent' | 'viewed' | 'completed' | 'declined') => ({
  record: 'esign' as const,
  id: 'contract-1',
  roomId: ROOM,
  vendor: 'penandink',
  envelopeId: 'env-1',
  status,
});

const access = () => ({ DEAL_SIGNALS_URL: api.baseUrl, DEAL_SIGNALS_API_KEY: key });

async function expectEqual(copy: Copy): Promise<void> {
  for (const feed of FEEDS) {
    const served = await servedRecords(api, key, feed);
    expect(served.size).toBeGreaterThan(0);
    expect([feed, await copy.read(feed)]).toEqual([feed, served]);
  }
}

describe.each<[string, () => Copy]>([
  ['SQLite', () => sqliteCopy(path.join(temporaryFolder(), 'deals.db'))],
  ['PostgreSQL', () => postgresCopy(database.url, 'copy')],
  ['files', () => fileCopy(path.join(temporaryFolder(), 'deals'))],
])('sync to %s', (name, create) => {
  test('copies all feeds, and then only new and changed records', async () => {
    const copy = create();
    const first = await run(['sync', '--to', copy.target], access());
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    const events = (await servedRecords(api, key, 'engagement/events')).size.toLocaleString('en-US');
    expect(first.stdout).toContain(`engagement/events: ${events} records\n`);
    await expectEqual(copy);

    await capture(
      database.db,
      { record: 'room', id: ROOM, name: `Globex of ${name}`, status: name === 'files' ? 'won' : 'open' },
      { record: 'callSummary', callId: CALL, summary: { headline: `for ${name}` } },
      { ...view(name), record: 'view' },
      { record: 'document', id: DOCUMENT, title: `Pricing for ${name}` },
      { record: 'member', roomId: ROOM, name: `Member of ${name}`, role: 'Champion' },
      { record: 'distribution', id: FORWARD, recipientName: `Eve of ${name}` },
      contract(name === 'files' ? 'completed' : name === 'SQLite' ? 'viewed' : 'declined'),
    );
    await captureEvents(database.db, [`of ${name}`]);
    const second = await run(['sync', '--to', copy.target], access());
    expect(second.stdout.split('\n').slice(0, 8)).toEqual([
      'calls: 1 record',
      'decision-rooms: 1 record',
      'engagement/events: 1 record',
      'engagement/views: 1 record',
      'distributions: 1 record',
      // The member, and the recipient with a new name.
      'people: 2 records',
      'documents: 1 record',
      'esign-documents: 1 record',
    ]);
    await expectEqual(copy);
  });

  test('rejects a copy of another workspace', async () => {
    const copy = create();
    await run(['sync', '--to', copy.target], access());
    const other = await run(['sync', '--to', copy.target], {
      ...access(),
      DEAL_SIGNALS_API_KEY: await createKey(api, OTHER_COMPANY),
    });
    expect(other.exitCode).toBe(5);
    expect(other.stderr).toContain(`but the API key belongs to workspace ${OTHER_COMPANY}`);
  });
});

describe('tables that sync did not create', () => {
  const FOREIGN = [
    'CREATE TABLE people (id uuid, name text, salary int)',
    "INSERT INTO people VALUES ('5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6', 'Ann', 5)",
    'CREATE VIEW documents AS SELECT 1 AS one',
  ];
  const REFUSAL = 'the tables people, documents already exist and were not created by deal-signals';

  test('are rejected in SQLite before a byte of the file changes, and a prefix avoids them', async () => {
    const file = path.join(temporaryFolder(), 'crm.db');
    const crm = await openSqlite(file);
    for (const sql of FOREIGN) crm.exec(sql);
    crm.close();
    const before = readFileSync(file);
    const refused = await run(['sync', '--to', `sqlite:${file}`], access());
    expect(refused).toMatchObject({ exitCode: 5, stdout: '' });
    expect(refused.stderr).toContain(REFUSAL);
    expect(readFileSync(file).equals(before)).toBe(true);

    const copied = await run(['sync', '--to', `sqlite:${file}`, '--prefix', 'dsk_'], access());
    expect(copied).toMatchObject({ exitCode: 0, stderr: '' });
    const { stdout } = await run(['query', file, 'SELECT count(*) FROM dsk_people, people, documents']);
    expect(stdout).toContain(String((await servedRecords(api, key, 'people')).size));
  });

  test('are rejected in PostgreSQL before anything is written, and a schema or a prefix avoids them', async () => {
    await database.db.$executeRaw`CREATE SCHEMA crm`;
    const target = new URL(database.url);
    target.searchParams.set('options', '-c search_path=crm');
    const client = new Client({ connectionString: target.href });
    await client.connect();
    for (const sql of FOREIGN) await client.query(sql);
    const catalog = async () =>
      (
        await client.query(
          `SELECT relname, attname, pg_class.xmin FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
           WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('crm', 'signals', 'x"y'))
             AND attnum > 0 ORDER BY 1, 2`,
        )
      ).rows;
    const before = await catalog();
    const refused = await run(['sync', '--to', target.href], access());
    expect(refused).toMatchObject({ exitCode: 5, stdout: '' });
    expect(refused.stderr).toContain(REFUSAL);
    expect(await catalog()).toEqual(before);

    for (const [options, table] of [
      [['--schema', 'signals'], 'signals.people'],
      [['--schema', 'x"y', '--prefix', 'dsk_'], '"x""y".dsk_people'],
      [['--prefix', 'dsk_'], 'crm.dsk_people'],
    ] as const) {
      for (const _again of [1, 2]) {
        expect(await run(['sync', '--to', target.href, ...options], access())).toMatchObject({ exitCode: 0 });
      }
      const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${table}`);
      expect(rows).toEqual([{ count: (await servedRecords(api, key, 'people')).size }]);
    }
    const { rows: people } = await client.query('SELECT name, salary FROM people');
    expect(people).toEqual([{ name: 'Ann', salary: 5 }]);
    const { rows: indexes } = await client.query(
      "SELECT indexname FROM pg_indexes WHERE schemaname = 'signals' AND tablename = 'calls' ORDER BY 1",
    );
    expect(indexes.map(({ indexname }) => indexname)).toEqual([
      'calls_by_buyer_space_id',
      'calls_by_updated_at',
      'calls_pkey',
    ]);
    await client.end();
  });
});

describe('the views of sync', () => {
  const ZOE = uuid(60);
  const session = (name: string, ...segments: [number, number][]) => ({
    ...view(`zoe ${name}`),
    distributionId: ZOE,
    segments,
  });
  const targets: Record<string, () => { target: string; query: (sql: string) => Promise<unknown[]> }> = {
    SQLite() {
      const file = path.join(temporaryFolder(), 'deals.db');
      const query = async (sql: string) => {
        const copy = await openSqlite(file);
        try {
          return copy.prepare(sql.replaceAll('place.', '')).all();
        } finally {
          copy.close();
        }
      };
      return { target: `sqlite:${file}`, query };
    },
    PostgreSQL: () => ({
      target: database.url,
      async query(sql) {
        const client = new Client({ connectionString: database.url });
        await client.connect();
        try {
          return (await client.query(sql.replaceAll('place.', 'viewed.'))).rows;
        } finally {
          await client.end();
        }
      },
    }),
  };

  test.each(Object.keys(targets))('answer the questions of analysts in %s', async (name) => {
    const { target, query } = targets[name]!();
    const inPlace = name === 'PostgreSQL' ? ['--schema', 'viewed'] : [];
    const sync = () => run(['sync', '--to', target, '--prefix', 'my_', '--views', ...inPlace], access());
    await capture(
      database.db,
      { record: 'room', id: ROOM, dealValueCents: 123_456 },
      {
        record: 'distribution',
        id: ZOE,
        roomId: ROOM,
        recipientName: 'Zoe',
        recipientEmail: 'zoe@globex.example',
        callId: CALL,
      },
      session('1', [0, 300]),
      session('2', [200, 540], [210, 220]),
      session('3', [10, 20]),
    );
    expect(await sync()).toMatchObject({ exitCode: 0, stderr: '' });
    // The best session has 56 %, and the sum of all sessions is 111 %.
    const [watched] = await query(
      `SELECT person_name, buyer_space_name, demo_title, CAST(sessions AS text) AS sessions,
         CAST(unique_seconds AS text) AS seconds, CAST(completion_percent AS text) AS percent
       FROM place.my_watched_recordings WHERE person_email = 'zoe@globex.example'`,
    );
    const room = (await servedRecords(api, key, 'decision-rooms')).get(ROOM);
    expect(watched).toEqual({
      person_name: 'Zoe',
      buyer_space_name: room?.['name'],
      demo_title: 'First demo',
      sessions: '3',
      seconds: '540',
      percent: '90',
    });

    const scores = await fetch(`${api.baseUrl}/room-scores`, { headers: { authorization: `Bearer ${key}` } });
    const [score] = ((await scores.json()) as { data: Record<string, unknown>[] }).data;
    const [deal] = (await query(
      `SELECT name, amount * 100 AS cents, CAST(owner_id AS text) AS owner_id, owner_name, owner_email,
         CAST(engagement_score AS text) AS score, last_engagement_at FROM place.my_deals`,
    )) as Record<string, unknown>[];
    expect({
      ...deal,
      cents: Number(deal?.['cents']),
      last_engagement_at: new Date(String(deal?.['last_engagement_at'])),
    }).toEqual({
      name: room?.['name'],
      cents: 123_456,
      owner_id: '7',
      owner_name: 'Ann',
      owner_email: 'ann@acme.example',
      score: String(score?.['engagementScore']),
      last_engagement_at: new Date(String(room?.['lastEngagementAt'])),
    });

    const counted = await query(
      `SELECT source, CAST(count(*) AS text) AS rows FROM place.my_activity GROUP BY source ORDER BY source`,
    );
    const sizes = await Promise.all(
      ['engagement/events', 'engagement/views'].map(
        async (feed) => (await servedRecords(api, key, feed)).size,
      ),
    );
    expect(counted).toEqual([
      { source: 'event', rows: String(sizes[0]) },
      { source: 'view', rows: String(sizes[1]) },
    ]);
    expect(
      await query(
        "SELECT DISTINCT type, actor_name FROM place.my_activity WHERE actor_email = 'zoe@globex.example'",
      ),
    ).toEqual([{ type: 'watched', actor_name: 'Zoe' }]);
    // An analyst may have built views on them.
    await query('CREATE VIEW place.mine AS SELECT * FROM place.my_deals');
    expect(await sync()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('do not replace a view that sync did not create', async () => {
    const file = path.join(temporaryFolder(), 'crm.db');
    const crm = await openSqlite(file);
    crm.exec('CREATE VIEW deals AS SELECT 1 AS one');
    crm.close();
    const before = readFileSync(file);
    const refused = await run(['sync', '--to', `sqlite:${file}`, '--views'], access());
    expect(refused).toMatchObject({ exitCode: 5, stdout: '' });
    expect(refused.stderr).toContain('deals already exists');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('are replaced when a newer version has other ones', async () => {
    const file = path.join(temporaryFolder(), 'deals.db');
    const sync = () => run(['sync', '--to', `sqlite:${file}`, '--views'], access());
    expect(await sync()).toMatchObject({ exitCode: 0 });
    const copy = await openSqlite(file);
    copy.exec("UPDATE deal_signals_state SET value = 'SELECT 1' WHERE name = 'table deals'");
    copy.exec('DROP VIEW deals');
    copy.exec('CREATE VIEW deals AS SELECT 1 AS one');
    copy.exec('DROP VIEW activity');
    expect(await sync()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(copy.prepare('SELECT amount FROM deals').all()).not.toEqual([]);
    expect(copy.prepare('SELECT type FROM activity LIMIT 1').all()).not.toEqual([]);
    copy.close();
  });

  test('are rejected for files', async () => {
    const { exitCode, stderr } = await run(
      ['sync', '--to', `ndjson:${temporaryFolder()}`, '--views'],
      access(),
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--views is for databases')]);
  });
});

test('room_scores has the scores of the last sync, which change without an event', async () => {
  const file = path.join(temporaryFolder(), 'deals.db');
  const sync = () => run(['sync', '--to', `sqlite:${file}`], access());
  expect(await sync()).toMatchObject({ exitCode: 0 });
  const copy = await openSqlite(file);
  copy.exec('UPDATE room_scores SET engagement_score = -1');
  expect(await sync()).toMatchObject({ exitCode: 0 });
  const scores = copy.prepare('SELECT engagement_score AS score FROM room_scores').all() as {
    score: number;
  }[];
  copy.close();
  expect(scores.length).toBeGreaterThan(0);
  for (const { score } of scores) expect(score).toBeGreaterThanOrEqual(0);
});

describe('a store in PostgreSQL', () => {
  const storeUrl = (settings: string) => {
    const target = new URL(database.url);
    target.searchParams.set('options', `-c search_path=copy ${settings}`);
    return target.href;
  };

  test('is opened without waiting for readers of its tables and views', async () => {
    const first = await openPostgresStore(storeUrl(''));
    await first.readCursor('webhook-deliveries');
    await first.close();
    await (await openPostgresStore(storeUrl(''), { views: true })).close();
    await database.db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT count(*) FROM copy.webhook_deliveries`;
      await tx.$queryRaw`SELECT count(*) FROM copy.deals`;
      const second = await openPostgresStore(storeUrl('-c lock_timeout=200ms'), { views: true });
      expect(await second.readCursor('webhook-deliveries')).toBeNull();
      await second.close();
    });
  });

  test('adds the columns and indexes of a newer version to its own tables', async () => {
    const first = await openPostgresStore(storeUrl(''), { prefix: 'old_', feeds: ['documents'] });
    await first.close();
    await database.db.$executeRaw`ALTER TABLE copy.old_documents DROP COLUMN updated_at`;
    await (await openPostgresStore(storeUrl(''), { prefix: 'old_', feeds: ['documents', 'calls'] })).close();
    const found = await database.db.$queryRaw`
      SELECT indexname FROM pg_indexes WHERE indexname = 'old_documents_by_updated_at'`;
    expect(found).toHaveLength(1);
  });

  test.each(APPLY_CASES.map((one, n) => [one.name, one, n] as const))(
    'stores deliveries of webhooks: %s',
    async (_name, one, n) => {
      const store = await openPostgresStore(storeUrl(''), { prefix: `case${n}_` });
      const applied = [];
      for (const delivery of one.deliveries) {
        applied.push((await applyWebhook(store, caseDelivery(delivery))).applied);
      }
      expect(applied).toEqual(one.deliveries.map((delivery) => delivery.applied));
      await store.readCursor('decision-rooms');
      await store.close();
      const found = await database.db.$queryRawUnsafe(`SELECT name FROM copy.case${n}_decision_rooms`);
      expect((found as { name: string }[]).map(({ name }) => name)).toEqual(one.rows);
    },
  );

  test('stores the event of concurrent deliveries once', async () => {
    const store = await openPostgresStore(storeUrl(''), { prefix: 'twice_' });
    const [first] = APPLY_CASES[0]?.deliveries ?? [];
    if (first === undefined) throw new Error('no case');
    await store.claimWorkspace(1);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => applyWebhook(store, caseDelivery(first))),
    );
    expect(outcomes.map(({ applied }) => applied).toSorted()).toEqual([
      ...Array.from({ length: 7 }, () => 'repeated'),
      'written',
    ]);
    await store.close();
  });

  describe('with an erasure', () => {
    type Store = Awaited<ReturnType<typeof openPostgresStore>>;
    const person = uuid(71);
    const event = (id: string) => ({ id, personId: person, actor: { name: 'Bob', email: null } });
    const erasure = {
      id: uuid(72),
      buyerSpaceId: null,
      personIds: [person],
      distributionIds: [],
      engagementEventIds: ['900719925474099311'],
      engagementViewIds: [],
      engagementBefore: null,
      erasedAt: '2026-09-02T00:00:00.000Z',
    };
    const pageOf = (feed: Feed, ...data: object[]) => ({
      feed,
      page: { data, nextCursor: 'next', hasMore: false } as unknown as FeedPage,
      previousCursor: null,
    });
    const actors = (prefix: string) =>
      database.db.$queryRawUnsafe<{ name: string | null }[]>(
        `SELECT actor ->> 'name' AS name FROM copy.${prefix}engagement_events ORDER BY id`,
      );

    async function open(prefix: string): Promise<Store> {
      const store = await openPostgresStore(storeUrl(''), { prefix });
      for (const feed of ['engagement/events', 'erasures'] as const) await store.readCursor(feed);
      return store;
    }

    test('stored after a page was read applies it to the page', async () => {
      const store = await open('late_');
      await store.savePage(pageOf('erasures', erasure));
      let handled: object[] = [];
      await store.savePage(pageOf('engagement/events', event('900719925474099311')), (_client, stored) => {
        handled = stored.data;
      });
      expect(handled).toMatchObject([{ actor: { name: null, email: null }, metadata: {} }]);
      expect(await actors('late_')).toEqual([{ name: null }]);
      const late = { type: 'engagement.recorded', apiVersion: '', companyId: 1, data: event('7') };
      await applyEvent(store, { ...late, id: uuid(73), createdAt: '2026-09-01T23:59:00.000Z' });
      expect(await actors('late_')).toEqual([{ name: null }, { name: null }]);
      await store.close();
    });

    test.each(['engagement/events', 'erasures'] as const)(
      'serializes it with a page when both are stored at once: first %s',
      async (first) => {
        const prefix = `both_${first.slice(0, 2)}_`;
        const store = await open(prefix);
        const pages = [pageOf('engagement/events', event('1')), pageOf('erasures', erasure)];
        const [begun, other] = first === 'erasures' ? pages.toReversed() : pages;
        let second: Promise<void> | undefined;
        await store.savePage(begun!, async () => {
          let isStored = false;
          second = store.savePage(other!).then(() => void (isStored = true));
          await until('the other one to wait or to finish', async () => {
            const [{ waiting } = { waiting: 0n }] = await database.db.$queryRaw<{ waiting: bigint }[]>`
              SELECT count(*) AS waiting FROM pg_locks
              WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
            return isStored || waiting > 0n;
          });
        });
        await second;
        expect(await actors(prefix)).toEqual([{ name: null }]);
        await store.close();
      },
    );
  });

  test.each([
    ['the program', '', 20_000],
    ['PostgreSQL', '-c max_stack_depth=100kB', 2_000],
  ])('names the record that is nested too deeply for %s', async (who, settings, depth) => {
    const metadata = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as object;
    const scripted = await startScriptedApi((response) =>
      response.end(
        `{"data":[{"id":"1"},{"id":"2","metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}],"nextCursor":"2","hasMore":false}`,
      ),
    );
    const store = await openPostgresStore(storeUrl(settings), { prefix: `deep${depth}_` });
    const client = createClient({ url: scripted.url, apiKey: 'key' });
    await expect(followFeed('engagement/events', { client, store, stopAtEnd: true })).rejects.toMatchObject({
      name: 'RecordTooDeep',
      recordId: '2',
      feed: 'engagement/events',
    });
    const event = { type: 'engagement.recorded', apiVersion: '', createdAt: '', companyId: 1 };
    await expect(
      applyEvent(store, { ...event, id: uuid(75), data: { id: '9', metadata } }),
    ).rejects.toMatchObject({ name: 'RecordTooDeep', recordId: '9' });
    expect([who, await store.readCursor('engagement/events')]).toEqual([who, null]);
    await store.close();
    await scripted.close();
  });

  test('stores nothing of a page whose connection breaks, and remains usable', async () => {
    const store = await openPostgresStore(storeUrl(''));
    await store.readCursor('webhook-deliveries');
    const save = {
      feed: 'webhook-deliveries' as const,
      page: { data: [], nextCursor: '1', hasMore: false },
      previousCursor: null,
    };
    const breaking = store.savePage(save, async (connection) => {
      await connection.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    });
    await expect(breaking).rejects.toThrow();
    expect(await store.readCursor('webhook-deliveries')).toBeNull();
    await store.savePage(save);
    expect(await store.readCursor('webhook-deliveries')).toBe('1');
    await store.close();
  });
});

test('sync --follow follows the feeds until a signal', async () => {
  const copy = sqliteCopy(path.join(temporaryFolder(), 'deals.db'));
  const command = startCommand(['sync', '--to', copy.target, '--follow', '--poll-seconds', '0.1'], access());
  await command.untilWritten('engagement/views: ');
  await captureEvents(database.db, ['while following']);
  const size = (await servedRecords(api, key, 'engagement/events')).size;
  await until(
    'the copy to have the new event',
    async () => (await copy.read('engagement/events')).size === size,
  );
  expect(await command.end('SIGINT')).toMatchObject({ exitCode: 0 });
  await expectEqual(copy);
});

test('sync copies only the named feeds', async () => {
  const copy = sqliteCopy(path.join(temporaryFolder(), 'deals.db'));
  const { stdout } = await run(['sync', '--to', copy.target, '--feeds', 'calls,engagement/views'], access());
  expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([
    'calls',
    'engagement/views',
    // Erasures apply to every copy.
    'erasures',
    '',
  ]);
});

test('the commands of the README copy the data and run a SELECT', async () => {
  const readme = readFileSync(path.join(REPOSITORY_ROOT, 'README.md'), 'utf8');
  const shown = Array.from(
    readme.matchAll(/^npx --yes pnpm@\S+ deal-signals (.*deals\.db.*)$/gm),
    ([, args = '']) => args,
  );
  expect(shown).toHaveLength(2);
  const { scripts } = JSON.parse(readFileSync(path.join(REPOSITORY_ROOT, 'package.json'), 'utf8'));
  const file = path.join(temporaryFolder(), 'deals.db');
  const outputs = shown.map((args) =>
    execFileSync('sh', ['-c', `${scripts['deal-signals']} ${args.replace('deals.db', file)}`], {
      cwd: REPOSITORY_ROOT,
      env: { PATH: process.env['PATH'], ...access() },
      encoding: 'utf8',
    }),
  );
  const [room] = [...(await servedRecords(api, key, 'decision-rooms')).values()];
  const values = ['name', 'status', 'dealValueCents'].map((field) => room?.[field]).join('\t');
  expect(outputs[1]).toBe(`name\tstatus\tdeal_value_cents\n${values}\n`);
});

test('query runs a SELECT on the copy', async () => {
  const file = path.join(temporaryFolder(), 'deals.db');
  await run(['sync', '--to', `sqlite:${file}`], access());
  const count = (await servedRecords(api, key, 'engagement/events')).size;
  const result = await run([
    'query',
    file,
    "SELECT count(*) AS events, 'a' || char(9, 27) || 'b' AS two FROM engagement_events",
  ]);
  expect(result).toMatchObject({ exitCode: 0, stdout: `events\ttwo\n${count}\ta b\n` });
  const writing = await run(['query', file, 'DELETE FROM engagement_events']);
  expect(writing.exitCode).toBe(1);
  expect((await run(['query', `${file}x`, 'SELECT 1'])).stderr).toContain('there is no file');
});

describe('the exit code and the message', () => {
  const sync = (env: Record<string, string>) =>
    run(['sync', '--to', `sqlite:${path.join(temporaryFolder(), 'x.db')}`], { ...access(), ...env });

  test('is 3 if the API rejects the key', async () => {
    const { exitCode, stderr } = await sync({ DEAL_SIGNALS_API_KEY: 'dsk_live_wrong' });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('API_KEY_INVALID');
    expect(stderr).toContain('The key is wrong, was revoked or has expired.');
    expect(stderr).not.toContain('dsk_live_wrong');
  });

  test('is 4 if the API is unavailable for too long', async () => {
    const scripted = await startScriptedApi(refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '800' }));
    const { exitCode, stderr } = await sync({ DEAL_SIGNALS_URL: scripted.url });
    await scripted.close();
    expect(exitCode).toBe(4);
    expect(stderr).toContain('status: 503 SERVICE_UNAVAILABLE');
  });

  test('is 130 if sync is interrupted', async () => {
    const scripted = await startScriptedApi(
      (response) => response.end('{"company":{"id":1}}'),
      page([1]),
      () => undefined,
    );
    const command = startCommand(['sync', '--to', `sqlite:${path.join(temporaryFolder(), 'x.db')}`], {
      ...access(),
      DEAL_SIGNALS_URL: scripted.url,
    });
    await until('the request that hangs', () => scripted.requests.length === 3);
    const { exitCode, stderr } = await command.end('SIGINT');
    await scripted.close();
    expect([exitCode, stderr]).toEqual([130, 'Interrupted. Run the same command again to continue.\n']);
  });
});
