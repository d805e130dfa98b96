import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mintKey } from '../published-api.ts';
import { Poller, type FeedObject } from '../system/poller.ts';
import { copyExamples, EXAMPLES, readPage, startProgram } from '../docs/programs.ts';
import { sqliteCopy } from '../client/copies.ts';

const FEEDS = [
  'calls',
  'decision-rooms',
  'people',
  'documents',
  'esign-documents',
  'distributions',
  'engagement/events',
  'engagement/views',
] as const;
const ROOM = uuid(1);
const CALL = uuid(2);
const LINK = uuid(3);
const FORWARD = uuid(4);
/** More than two pages. */
const EVENTS = 1_200;

let database: TestDatabase;
let api: RunningApp;
let key: string;

const event = (name: string, distributionId = LINK): ShortRecord => ({
  record: 'event',
  key: name,
  type: 'room_visit',
  occurredAt: '2026-09-02T10:00:00Z',
  distributionId,
});

const view = (name: string): ShortRecord => ({
  record: 'view',
  key: name,
  distributionId: LINK,
  startedAt: '2026-09-02T10:00:00Z',
  endedAt: '2026-09-02T10:05:00Z',
  segments: [[0, 60]],
});

const link = (linkId: string, forwardedFromDistributionId?: string): ShortRecord => ({
  record: 'distribution',
  id: linkId,
  roomId: ROOM,
  recipientName: 'Bob',
  recipientEmail: 'bob@globex.example',
  callId: CALL,
  forwardedFromDistributionId,
});

beforeAll(async () => {
  database = await createTestDatabase();
  await capture(
    database.db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
    { record: 'room', id: ROOM, name: 'Globex', ownerId: 7 },
    { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, roomId: ROOM },
    link(LINK),
    link(FORWARD, LINK),
    { record: 'document', id: uuid(5), roomId: ROOM, title: 'Pricing', category: 'pricing' },
    { record: 'esign', id: 'c-1', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'sent' },
    ...Array.from({ length: EVENTS }, (_, n) => event(`e${n}`, n === 0 ? FORWARD : LINK)),
    view('v1'),
  );
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
  });
  key = await mintKey(api.baseUrl);
});

afterAll(() => database.drop());

/** Returns all rows of a feed, as the API shows them now. */
async function served(feed: string): Promise<Map<string, FeedObject>> {
  const poller = new Poller(`${api.baseUrl}/${feed}`, key, () => 500);
  await poller.drain();
  return poller.seen;
}

test('the program of docs/first-sync.md copies all feeds, follows them, and continues after a crash', async () => {
  const folder = copyExamples('crm');
  const [, source = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readPage('first-sync.md')) ?? [];
  writeFileSync(path.join(folder, 'sync.mts'), source);
  const copy = sqliteCopy(path.join(folder, 'deals.db'));
  const start = () =>
    startProgram(folder, 'sync.mts', {
      NODE_OPTIONS: '--conditions=source',
      DEAL_SIGNALS_URL: api.baseUrl,
      DEAL_SIGNALS_API_KEY: key,
    });
  const isComplete = async () => {
    for (const feed of FEEDS) {
      expect(Object.fromEntries(await copy.read(feed))).toEqual(Object.fromEntries(await served(feed)));
    }
    return true;
  };
  const program = start();
  await program.until('the copy is complete', isComplete);
  expect((await copy.read('engagement/events')).size).toBe(EVENTS);
  await program.kill();
  await capture(
    database.db,
    { record: 'callSummary', callId: CALL, summary: { headline: 'They want it' } },
    { record: 'room', id: uuid(900), name: 'Initech' },
    { record: 'erasePerson', email: 'bob@globex.example' },
  );
  await finishErasures(database.db);
  const restarted = start();
  await restarted.until('the copy has followed', isComplete);
  await restarted.kill();
  expect([...(await copy.read('engagement/events')).values()][0]).toMatchObject({
    actor: { name: null, email: null },
  });
});

/** The fields that the API shows, of each feed. */
async function shownFields(): Promise<Record<string, string[]>> {
  const shown: Record<string, string[]> = {};
  for (const feed of FEEDS) {
    const rows = [...(await served(feed)).values()];
    shown[feed] = [...new Set(rows.flatMap((row) => Object.keys(row)))].toSorted();
  }
  return shown;
}

test('the Airbyte manifest names exactly the fields of each feed', async () => {
  const manifest = readFileSync(path.join(EXAMPLES, 'loaders/deal_signals_airbyte.yaml'), 'utf8');
  const streams = manifest.matchAll(
    /\$parameters: \{ feed: ([\w/-]+)[^\n]*\n[^\n]*\$ref: '#\/schemas\/(\w+)'/g,
  );
  const named: Record<string, string[]> = {};
  for (const [, feed = '', schema = ''] of streams) {
    const [, properties = ''] =
      new RegExp(`^  ${schema}:\\n(?: {4}(?! ).*\\n)+((?: {6}.*\\n)+)`, 'm').exec(manifest) ?? [];
    named[feed] = Array.from(properties.matchAll(/^ {6}(\w+):/gm), ([, name = '']) => name)
      .filter((name) => name !== 'position')
      .toSorted();
  }
  expect(named).toEqual(await shownFields());
});

test('the dlt program names exactly the fields of each feed', async () => {
  const program = readFileSync(path.join(EXAMPLES, 'loaders/deal_signals_dlt.py'), 'utf8');
  const resources = program.matchAll(/feed\("(\w+)", "([\w/-]+)"/g);
  const named: Record<string, string[]> = {};
  for (const [, table = '', feed = ''] of resources) {
    const [, fields = ''] = new RegExp(`^    "${table}": \\{\\n((?: {8}.*\\n)+)`, 'm').exec(program) ?? [];
    named[feed] = Array.from(fields.matchAll(/"(\w+)": "/g), ([, name = '']) => name).toSorted();
  }
  expect(named).toEqual(await shownFields());
});
