import path from 'node:path';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { readScripts } from '@deal-signals/db/migrations/schema-files';
import { CAPTURE_ENV, captureUrlOf, sendRecords } from '@deal-signals/test-kit/capture-sender';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { until } from '@deal-signals/test-kit/until';
import { LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FEEDS } from 'deal-signals/feeds/feeds';
import { Client } from 'pg';
import { balance } from '../../src/faults/ledger.ts';
import { buildNextRelease, startMigration, writeSchema } from '../../src/faults/next-release.ts';
import { openScene, PATIENT, type Scene } from '../../src/faults/scene.ts';
import { adminToken, createKey, request } from '../published-api.ts';

// Migrations while the product runs. They belong to an invented release.

const COLUMN = '99991231000000_column';
const SLOW = '99991231000100_slow';
const INDEX = '99991231000200_index';
const ADD_COLUMN = 'ALTER TABLE "webhook_deliveries" ADD COLUMN "drill" TEXT;';
/** The slow migration passes this advisory lock after each batch, and holds no other lock while it waits. */
const GATE = 7_001;
const BATCH_SIZE = 10;
const FILL_IN_BATCHES = `-- outside a transaction
DO $$
DECLARE
  "last" BIGINT := (SELECT max("id") FROM "webhook_deliveries");
BEGIN
  LOOP
    UPDATE "webhook_deliveries" SET "drill" = 'filled' WHERE ("company_id", "id") IN (
      SELECT "company_id", "id" FROM "webhook_deliveries" WHERE "drill" IS NULL AND "id" <= "last"
      ORDER BY "id" LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
    );
    COMMIT;
    EXIT WHEN NOT EXISTS (SELECT FROM "webhook_deliveries" WHERE "drill" IS NULL AND "id" <= "last");
    SET LOCAL lock_timeout = 0;
    PERFORM pg_advisory_xact_lock_shared(${GATE});
  END LOOP;
END $$;`;
const BUILD_INDEX = `-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_drill_idx" ON "webhook_deliveries" ("company_id", "drill");`;
/** Sorted by name, because no script of the product names another. */
const SCRIPTS = (await readScripts()).map(({ name }) => name);
const SCRIPT = 'feed-clock.sql';
/** Counts its calls. */
const CHANGE_FUNCTION = `
CREATE SEQUENCE IF NOT EXISTS drill_calls;
GRANT USAGE ON SEQUENCE drill_calls TO PUBLIC;
CREATE OR REPLACE FUNCTION take_feed_clock(workspace int) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  reading timestamptz;
BEGIN
  PERFORM nextval('drill_calls');
  UPDATE feed_clocks SET at = greatest(date_trunc('milliseconds', clock_timestamp()), at + interval '1 millisecond')
  WHERE company_id = workspace
  RETURNING at INTO reading;
  RETURN reading;
END $$;
`;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

/** Runs a statement in a session that stays open and keeps its locks. */
async function openSession(statement: string): Promise<{ end: () => Promise<void> }> {
  const client = new Client({ connectionString: scene.databaseUrl });
  // The database is dropped even if the test fails while this session is open.
  client.on('error', () => {});
  await client.connect();
  await client.query(statement);
  return { end: () => client.end() };
}

/** Waits until additional events were captured and delivered. */
async function untilMoreIsDelivered(): Promise<void> {
  const { db, receiver } = scene;
  const captured = await db.delivery.count();
  await until('more captures', async () => (await db.delivery.count()) > captured);
  await receiver.untilArrived(receiver.arrivals.length + 5);
}

test('a migration of the deliveries during a long read delays neither capture nor the worker', async () => {
  const { databaseUrl, receiver } = scene;
  const folder = path.join(scene.folder, 'prisma');
  await writeSchema(folder, { migrations: { [COLUMN]: ADD_COLUMN } });
  const load = scene.startLoad();
  await scene.startWorker(PATIENT);
  await receiver.untilArrived(10);
  const read = await openSession('BEGIN; SELECT count(*) FROM webhook_deliveries');

  const said: string[] = [];
  const migrating = migrate(databaseUrl, { folder, say: (line) => said.push(line) });
  for (const tries of [1, 2]) {
    await until(`${tries} tries`, () => said.length >= tries);
    // New events are captured and delivered while the migration still waits for the read.
    await untilMoreIsDelivered();
  }
  expect(said.filter((line) => line.includes('applied'))).toEqual([]);
  await read.end();
  scene.faultOver();
  expect(await migrating).toEqual([COLUMN, ...SCRIPTS]);
  await receiver.untilArrived(receiver.arrivals.length + 10);
  const row = await balance(scene, {
    name: 'migration of the deliveries during a long read',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

/** The data that an API key can list. */
/** Calls every endpoint of a process, and captures this many records. */
async function useAll(api: RunningApp, records: number): Promise<void> {
  const lines = Array.from({ length: records }, (_, n) =>
    JSON.stringify({
      record: 'event',
      companyId: COMPANY,
      key: `used-${n}`,
      type: 'room_visit',
      occurredAt: '2026-09-01',
      distributionId: LINK,
    }),
  );
  const { status, lines: results } = await sendRecords(await captureUrlOf(api), `${lines.join('\n')}\n`);
  expect([status, results.at(-1)]).toEqual([
    200,
    { done: true, captured: records, unchanged: 0, refused: 0 },
  ]);
  // Each response is checked against the description of its own process.
  const key = await createKey(api.baseUrl);
  for (const feed of ['status', ...FEEDS]) {
    expect([feed, (await request(`${api.baseUrl}/${feed}`, key)).status]).toEqual([feed, 200]);
  }
  const { body: registered } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
    method: 'POST',
    body: { url: scene.receiver.url, events: ['call.recorded'] },
  });
  const webhook = `${api.baseUrl}/webhooks/${registered.data.id}`;
  const ping = await request(`${webhook}/ping`, adminToken(), { method: 'POST' });
  expect([ping.status, ping.body.data.status]).toEqual([200, 'delivered']);
  for (const list of ['webhooks', `webhooks/${registered.data.id}/deliveries`, 'audit-log', 'api-keys']) {
    expect([list, (await request(`${api.baseUrl}/${list}`, adminToken())).status]).toEqual([list, 200]);
  }
}

async function readinessOf({ url }: RunningApp): Promise<object> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json() };
}

const lacking = (...missingMigrations: string[]) => ({
  status: 503,
  body: { ok: false, failing: ['migrations'], missingMigrations },
});
const READY = { status: 200, body: { ok: true } };

test('a release with migrations is deployed under load, although two runs of them are killed half-way', async () => {
  const { databaseUrl, receiver, db } = scene;
  const next = await buildNextRelease({
    migrations: { [COLUMN]: ADD_COLUMN, [SLOW]: FILL_IN_BATCHES, [INDEX]: BUILD_INDEX },
    scripts: { [SCRIPT]: CHANGE_FUNCTION },
  });
  const load = scene.startLoad();
  const env = { ...CAPTURE_ENV, ...PATIENT };
  const [oldApi, oldWorker] = await Promise.all([scene.startApi(env), scene.startWorker(PATIENT)]);
  await receiver.untilArrived(2 * BATCH_SIZE);
  const early = { builtFolder: next, waitUntilReady: false };
  const newProcesses = [await scene.startApi(env, early), await scene.startWorker(PATIENT, early)];
  const expectOfNew = async (readiness: object) => {
    for (const app of newProcesses) expect(await readinessOf(app)).toEqual(readiness);
  };
  for (const app of newProcesses) {
    await app.waitForOutput(
      `the database is not migrated, it lacks ${COLUMN}, ${SLOW}, ${INDEX}, ${SCRIPT}: run`,
    );
  }
  await expectOfNew(lacking(COLUMN, SLOW, INDEX, SCRIPT));

  /** Returns the sessions of migrations that wait for a lock in the server. */
  const waiting = () =>
    db.$queryRaw<{ pid: number; event: string }[]>`
      SELECT pid, wait_event AS event FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'deal-signals-migrate' AND wait_event_type = 'Lock'`;
  const filled = async () => {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM webhook_deliveries WHERE drill = 'filled'`;
    return row?.count ?? 0;
  };
  const isIndexValid = async () => {
    const [row] = await db.$queryRaw<{ valid: boolean }[]>`
      SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('webhook_deliveries_drill_idx')`;
    return row?.valid;
  };
  /**
   * Kills a run of the migrations and its session on the server, which would otherwise continue until it writes to the
   * connection.
   */
  async function crash(run: { kill9(): Promise<void> }): Promise<void> {
    const sessions = await waiting();
    await run.kill9();
    for (const { pid } of sessions) await db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
  }

  // Two runs at once. One of them applies the first migration, and half of the second.
  const gate = await openSession(`SELECT pg_advisory_lock(${GATE})`);
  const runs = [startMigration(next, databaseUrl), startMigration(next, databaseUrl)];
  await until('a batch to be filled', async () =>
    (await waiting()).some(({ event }) => event === 'advisory'),
  );
  await untilMoreIsDelivered();
  const first = runs.find((run) => run.output().includes('applied'))!;
  const second = runs.find((run) => run !== first)!;
  expect([first.output(), second.output()]).toEqual([`applied ${COLUMN}\n`, '']);
  expect(await filled()).toBe(BATCH_SIZE);
  await until('the new processes to see the first', () =>
    expectOfNew(lacking(SLOW, INDEX, SCRIPT)).then(() => true),
  );
  await crash(first);

  // The other one continues, and is killed while it builds the index, which waits for a session that may write.
  const writer = await openSession('BEGIN; UPDATE webhook_deliveries SET drill = NULL WHERE false');
  await gate.end();
  await until('the index to be half-built', async () => (await isIndexValid()) === false);
  await untilMoreIsDelivered();
  expect(second.output()).toBe(`applied ${SLOW}\n`);
  expect(await filled()).toBeGreaterThan(BATCH_SIZE);
  await until('the new processes to see the second', () =>
    expectOfNew(lacking(INDEX, SCRIPT)).then(() => true),
  );
  await crash(second);
  expect(await isIndexValid()).toBe(false);

  const third = startMigration(next, databaseUrl);
  await until('the third to wait for the writer', async () => (await waiting()).length > 0);
  await untilMoreIsDelivered();
  await writer.end();
  expect([await third.exited, third.output()]).toEqual([
    0,
    [INDEX, ...SCRIPTS].map((name) => `applied ${name}\n`).join(''),
  ]);
  expect(await isIndexValid()).toBe(true);
  scene.faultOver();

  await until('the captures to call the changed function', async () => {
    const [row] = await db.$queryRaw<{ calls: bigint }[]>`SELECT last_value AS calls FROM drill_calls`;
    return row!.calls > 5n;
  });

  // The old processes work with a newer schema, next to the new ones, and then stop.
  await until('the new processes to be ready', () => expectOfNew(READY).then(() => true));
  for (const app of [oldApi, oldWorker]) expect(await readinessOf(app)).toEqual(READY);
  const sent = 50;
  await useAll(oldApi, sent);
  const restarted = await scene.startApi(env);
  expect(await Promise.all([oldApi, restarted, oldWorker].map((app) => app.stop()))).toEqual([0, 0, 0]);
  await untilMoreIsDelivered();
  const captured = await load.stop();
  const row = await balance(scene, {
    name: 'release rolled out, two runs of its migrations killed',
    // One more for the ping.
    expected: captured + sent + 1,
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
  expect(await db.engagementEvent.count()).toBe(captured + sent);
  for (const app of [oldApi, restarted, oldWorker]) expect(app.output()).not.toContain('"level":"error"');
});
