import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { MIGRATIONS_FOLDER } from '@deal-signals/db/migrations/migration-files';
import { CAPTURE_ENV, captureUrlOf, sendRecords } from '@deal-signals/test-kit/capture-sender';
import { until } from '@deal-signals/test-kit/until';
import { LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { balance } from '../../src/faults/ledger.ts';
import { buildRelease, findPreviousRelease } from '../../src/faults/previous-release.ts';
import { openScene, PATIENT, type Scene } from '../../src/faults/scene.ts';
import { adminToken, mintKey, request } from '../published-api.ts';

// Migrations while the product runs.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test('a change of the deliveries during a long read holds up neither capture nor the worker', async () => {
  const { databaseUrl, receiver, folder, db } = scene;
  const migrations = path.join(folder, 'migrations');
  await cp(MIGRATIONS_FOLDER, migrations, { recursive: true });
  const name = '99991231000000_drill';
  await mkdir(path.join(migrations, name));
  await writeFile(
    path.join(migrations, name, 'migration.sql'),
    'ALTER TABLE "webhook_deliveries" ADD COLUMN "drill" TEXT;',
  );
  const load = scene.startLoad();
  await scene.startWorker(PATIENT);
  await receiver.untilArrived(10);
  const reader = new Client({ connectionString: databaseUrl });
  reader.on('error', () => {});
  await reader.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM webhook_deliveries');

  const said: string[] = [];
  const migrating = migrate(databaseUrl, { folder: migrations, say: (line) => said.push(line) });
  for (const tries of [1, 2]) {
    await until(`${tries} tries`, () => said.length >= tries);
    // New events are captured and delivered while the migration still waits for the read.
    const captured = await db.webhookDelivery.count();
    await until('more captures', async () => (await db.webhookDelivery.count()) > captured);
    await receiver.untilArrived(receiver.arrivals.length + 5);
  }
  expect(said.filter((line) => line.includes('applied'))).toEqual([]);
  await reader.end();
  scene.faultOver();
  expect(await migrating).toEqual([name]);
  await receiver.untilArrived(receiver.arrivals.length + 10);
  const row = await balance(scene, {
    name: 'migration of the deliveries during a long read',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

/** What an API key can list. */
const FEEDS = [
  'status',
  'calls',
  'engagement/events',
  'engagement/views',
  'decision-rooms',
  'people',
  'documents',
  'esign-documents',
  'distributions',
  'webhook-deliveries',
];

const PREVIOUS = findPreviousRelease();
if (PREVIOUS === undefined)
  console.log('Skipped the processes of the previous release: there is no Git history');

(PREVIOUS === undefined ? test.skip : test)(
  'the processes of the previous release work with the present schema, under load',
  async () => {
    const { receiver, db } = scene;
    const builtFolder = await buildRelease(PREVIOUS ?? '');
    const load = scene.startLoad();
    const [api, worker] = await Promise.all([
      scene.startApi({ ...CAPTURE_ENV, ...PATIENT }, { builtFolder }),
      scene.startWorker(PATIENT, { builtFolder }),
    ]);
    await receiver.untilArrived(20);
    const sent = 50;
    const records = Array.from({ length: sent }, (_, n) => ({
      record: 'event',
      companyId: COMPANY,
      key: `old-${n}`,
      type: 'room_visit',
      occurredAt: '2026-09-01',
      distributionId: LINK,
    }));
    const { status, lines } = await sendRecords(
      await captureUrlOf(api),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
    expect([status, lines.at(-1)]).toEqual([
      200,
      { done: true, captured: sent, unchanged: 0, held: 0, refused: 0 },
    ]);
    // Each response is held against the description of the release that gave it.
    const key = await mintKey(api.baseUrl);
    for (const feed of FEEDS) {
      expect([feed, (await request(`${api.baseUrl}/${feed}`, key)).status]).toEqual([feed, 200]);
    }
    const { body: registered } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
      method: 'POST',
      body: { url: receiver.url, events: ['call.recorded'] },
    });
    const webhook = `${api.baseUrl}/webhooks/${registered.data.id}`;
    const ping = await request(`${webhook}/ping`, adminToken(), { method: 'POST' });
    expect([ping.status, ping.body.data.status]).toEqual([200, 'delivered']);
    for (const list of ['webhooks', `webhooks/${registered.data.id}/deliveries`, 'audit-log', 'api-keys']) {
      expect([list, (await request(`${api.baseUrl}/${list}`, adminToken())).status]).toEqual([list, 200]);
    }
    const captured = await load.stop();
    const row = await balance(scene, {
      name: 'processes of the previous release on the present schema',
      // One more for the ping.
      expected: captured + sent + 1,
      allowed: 0,
      isOtherRelease: true,
    });
    expect(row).toMatchObject({
      lost: 0,
      delivered: row.expected,
      duplicates: 0,
      unlogged: 0,
      exitCodes: [0],
    });
    expect(await db.engagementEvent.count()).toBe(captured + sent);
    for (const app of [api, worker]) expect(app.output()).not.toContain('"level":"error"');
  },
);
