import { randomUUID } from 'node:crypto';
import { Database } from '@deal-signals/db/database';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { createDatabaseIfMissing } from '@deal-signals/local-stack/servers/postgres';
import { TEST_LIMITS } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { capture, CALL, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, expect, test } from '@jest/globals';
import { FEEDS } from 'deal-signals/feeds/feeds';
import { Client } from 'pg';
import { balance } from '../../../src/faults/ledger.ts';
import { type ScenePair, startScenePair } from '../../../src/faults/scene-pair.ts';
import { type ScenePostgres, startScenePostgres } from '../../../src/faults/scene-postgres.ts';
import { openScene, type Scene } from '../../../src/faults/scene.ts';
import { adminToken, createKey } from '../../published-api.ts';
import { Poller } from '../../system/poller.ts';

// A consumer has read every feed to its end. Then the database is restored to an earlier state in several ways, and the
// product continues. The consumer continues with its cursors and sees everything that is written from then on. Nobody runs a
// command.

let scene: Scene;
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await scene.close();
});

/** The feeds with new rows. Nothing is erased here. */
const WRITTEN = FEEDS.filter((feed) => feed !== 'erasures').map((feed) => `/${feed}`);
const AT = '2026-09-01T12:00:00Z';
/** Events of each phase, which cause the deliveries. */
const EVENTS = 25;

/** Writes to every feed. */
async function write(db: Database, baseUrl: string, phase: string): Promise<void> {
  const records: ShortRecord[] = [
    { record: 'room', id: randomUUID(), name: phase, ownerId: 7 },
    { record: 'call', id: randomUUID(), kind: 'demo', occurredAt: AT, ownerId: 7, title: phase },
    { record: 'callSummary', callId: CALL, summary: { headline: phase } },
    { record: 'member', roomId: ROOM, email: `${phase}@globex.example`, name: phase },
    {
      record: 'distribution',
      id: randomUUID(),
      roomId: ROOM,
      recipientName: phase,
      recipientEmail: `${phase}@globex.example`,
    },
    { record: 'document', id: randomUUID(), roomId: ROOM, title: phase, category: 'pricing' },
    { record: 'esign', id: phase, roomId: ROOM, vendor: 'v', envelopeId: phase, status: 'sent' },
    { record: 'view', key: phase, distributionId: LINK, startedAt: AT, endedAt: AT, segments: [[0, 9]] },
  ];
  await capture(db, ...records);
  const event = { record: 'event', type: 'room_visit', occurredAt: AT, distributionId: LINK } as const;
  const keys = Array.from({ length: EVENTS }, (_, n) => `${phase}-${n}`);
  await capture(db, ...keys.map((key) => ({ ...event, key, metadata: { key } })));
  // A management write, for the audit log.
  await createKey(baseUrl);
}

/** A consumer of all feeds, by their paths. */
type Consumer = Map<string, Poller>;

function consumerOf(baseUrl: string, key: string): Consumer {
  const open = (path: string, token: string) =>
    [path, new Poller(`${baseUrl}${path}`, token, () => 20)] as const;
  return new Map([...WRITTEN.map((path) => open(path, key)), open('/audit-log', adminToken())]);
}

async function drain(consumer: Consumer): Promise<void> {
  for (const poller of consumer.values()) await poller.drain();
}

/** Returns everything that a consumer has seen, as lines. */
const linesOf = (consumer: Consumer) =>
  [...consumer].flatMap(([path, { seen }]) =>
    [...seen.values()].map((object) => `${path} ${JSON.stringify(object)}`),
  );

/**
 * Expects that a consumer misses nothing that is written after a restore.
 *
 * @param openRestorable opens the database of the scene.
 * @param backUp saves its state.
 * @param restore restores the state. Returns the new URL of the database, if it changes.
 */
async function expectNothingMissed(
  name: string,
  openRestorable: () => Promise<{ url: string; db: Database; drop: () => Promise<void> }>,
  backUp: () => Promise<unknown>,
  restore: () => Promise<{ url: string; db: Database } | void>,
): Promise<void> {
  scene = await openScene(openRestorable);
  let { db } = scene;
  let api = await scene.startApi();
  const key = await createKey(api.baseUrl);
  const consumer = consumerOf(api.baseUrl, key);
  await write(db, api.baseUrl, 'kept');
  await backUp();
  await write(db, api.baseUrl, 'lost');
  await drain(consumer);
  const beforeRestore = linesOf(consumer);
  expect(beforeRestore.filter((line) => line.includes('lost')).length).toBeGreaterThan(EVENTS);

  const elsewhere = await restore();
  if (elsewhere !== undefined) {
    await api.stop();
    api = await scene.startApi({ DATABASE_URL: elsewhere.url });
    db = elsewhere.db;
    for (const [path, poller] of consumer) poller.url = `${api.baseUrl}${path}`;
  }
  scene.faultOver();
  const restored = consumerOf(api.baseUrl, key);
  await until('the API to work again', () => drain(restored).then(() => true));
  const left = new Set(linesOf(restored));
  expect([...left].filter((line) => line.includes('lost'))).toEqual([]);

  await write(db, api.baseUrl, 'new');
  await drain(consumer);
  await drain(restored);
  const written = linesOf(restored).filter((line) => !left.has(line));
  expect(new Set(written.map((line) => line.split(' ')[0]))).toEqual(new Set([...WRITTEN, '/audit-log']));
  const seen = new Set(linesOf(consumer));
  expect(written.filter((line) => !seen.has(line))).toEqual([]);

  await scene.startWorker(elsewhere === undefined ? {} : { DATABASE_URL: elsewhere.url });
  const row = await balance({ ...scene, db }, { name, allowed: 0 });
  expect(row).toMatchObject({ expected: 2 * EVENTS, lost: 0, duplicates: 0, unlogged: 0, exitCodes: [0] });
}

test('cursors continue after a copy of the data directory is restored', async () => {
  let server: ScenePostgres;
  await expectNothingMissed(
    'restored a copy of the data directory',
    async () => (server = await startScenePostgres()),
    () => server.backUp(),
    () => server.restore(),
  );
});

test('cursors continue after a dump is restored into a new database', async () => {
  const tables = new Map<string, string>();
  let server: ScenePostgres;
  await expectNothingMissed(
    'restored a dump into a new database',
    async () => (server = await startScenePostgres()),
    async () => {
      for (const [table, rows] of await dump(server.url)) tables.set(table, rows);
    },
    async () => {
      const url = server.url.replace(/\/[^/]*$/, '/restored');
      await createDatabaseIfMissing(server.url, 'restored');
      await migrate(url);
      await load(url, tables);
      const db = new Database({ url, poolSize: 5, applicationName: 'test', ...TEST_LIMITS });
      cleanUps.push(() => db.close());
      return { url, db };
    },
  );
});

test('cursors continue after an asynchronous standby that lacks commits is promoted', async () => {
  let pair: ScenePair;
  await expectNothingMissed(
    'promoted a standby that lacks commits',
    async () => (pair = await startScenePair({ isSynchronous: false })),
    async () => {
      const last = `kept-${EVENTS - 1}`;
      await until('the standby to have the events', async () => {
        return (await pair.onStandby(`SELECT FROM engagement_events WHERE key = '${last}'`)) === 1;
      });
      const keys = await pair.db.apiKey.count();
      await until('the standby to have the key', async () => {
        return (await pair.onStandby('SELECT FROM api_keys')) === keys;
      });
      await pair.stopStandby();
    },
    async () => {
      await pair.losePrimary();
      await pair.startStandby();
      await pair.promote();
    },
  );
});

test("cursors continue after the server's clock steps back by a minute", async () => {
  let server: ScenePostgres;
  await expectNothingMissed(
    "the server's clock stepped back by a minute",
    async () => (server = await startScenePostgres()),
    () => server.backUp(),
    async () => {
      await server.restore();
      // The effect of such a step: the last reading is a minute ahead of the server.
      await server.db.feedClock.updateMany({
        where: { companyId: COMPANY },
        data: { at: new Date(Date.now() + 60_000) },
      });
    },
  );
});

/** Returns the rows of every table as JSON, without the history of the schema. */
async function dump(url: string): Promise<[string, string][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND left(tablename, 1) <> '_'`,
    );
    const dumped: [string, string][] = [];
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ rows: string }>(
        `SELECT coalesce(json_agg(row), '[]')::text AS rows FROM "${name}" AS row`,
      );
      dumped.push([name, found[0]!.rows]);
    }
    return dumped;
  } finally {
    await client.end();
  }
}

async function load(url: string, tables: ReadonlyMap<string, string>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Triggers are disabled, because the dump contains the rows that they created.
    await client.query('SET session_replication_role = replica');
    for (const [table, rows] of tables) {
      await client.query(`DELETE FROM "${table}"`);
      await client.query(
        `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`,
        [rows],
      );
    }
    await client.query(`
      SELECT setval(pg_get_serial_sequence(quote_ident(table_name), column_name), 1000000)
      FROM information_schema.columns
      WHERE table_schema = 'public' AND pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL`);
  } finally {
    await client.end();
  }
}
