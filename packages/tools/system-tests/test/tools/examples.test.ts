import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { type Feed, tableOf } from 'deal-signals/feeds/feeds';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DATA_FEEDS } from 'deal-signals/feeds/feeds';
import { createKey } from '../published-api.ts';
import { Poller, type FeedObject } from '../system/poller.ts';
import { copyExamples, EXAMPLES, HAS_PYTHON, readPage, startProgram } from '../docs/programs.ts';
import { startScriptedApi } from '../../../../clients/typescript/test/feeds/scripted-api.ts';
import { sqliteCopy } from '../client/copies.ts';
import { startExecutable } from '../client/run.ts';

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
    { record: 'erasePerson', email: 'gavin@hooli.example' },
  );
  await finishErasures(database.db);
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
  });
  key = await createKey(api.baseUrl);
});

afterAll(() => database.drop());

/** Returns all rows of a feed as the API shows them now. */
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
    for (const feed of DATA_FEEDS.filter((name) => name !== 'erasures')) {
      expect(Object.fromEntries(await copy.read(feed))).toEqual(Object.fromEntries(await served(feed)));
    }
    return true;
  };
  const program = start();
  await program.until('the copy to be complete', isComplete);
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
  await restarted.until('the copy to have caught up', isComplete);
  await restarted.kill();
  expect([...(await copy.read('engagement/events')).values()][0]).toMatchObject({
    actor: { name: null, email: null },
  });
});

/** Returns the fields that the API shows, by feed. */
async function shownFields(): Promise<Record<string, string[]>> {
  const shown: Record<string, string[]> = {};
  for (const feed of DATA_FEEDS) {
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
  const { erasures = [], ...others } = await shownFields();
  // dlt stores lists in tables of their own.
  expect(named).toEqual({ ...others, erasures: erasures.filter((field) => !field.endsWith('Ids')) });
});

/** The folder in which pip has installed dlt, or installs it if INSTALL_DLT is set, which takes a minute. */
const DLT_FOLDER = path.join(tmpdir(), 'deal-signals-dlt-1.31');
const DLT_PYTHON = path.join(DLT_FOLDER, 'bin/python');
if (HAS_PYTHON && process.env['INSTALL_DLT'] && !existsSync(DLT_PYTHON)) {
  execFileSync('python3', ['-m', 'venv', DLT_FOLDER]);
  execFileSync(path.join(DLT_FOLDER, 'bin/pip'), ['install', '--quiet', 'dlt[duckdb]==1.31.0']);
}
const WITH_DLT = existsSync(DLT_PYTHON) ? 'erases' : 'IS NOT RUN: set INSTALL_DLT=1 to install dlt once';

const CASES_FILE = path.join(REPOSITORY_ROOT, 'packages/clients/typescript/test/stores/erase-cases.json');
const { cases: ERASE_CASES } = JSON.parse(readFileSync(CASES_FILE, 'utf8')) as {
  cases: { name: string; before: Rows; erasure: object; after: Rows }[];
};
type Rows = Record<string, ({ id: string } & Record<string, unknown>)[]>;
const ERASURE = {
  id: uuid(80),
  buyerSpaceId: null,
  personIds: [],
  distributionIds: [],
  engagementEventIds: [],
  engagementViewIds: [],
  engagementBefore: null,
  erasedAt: '2026-09-02T00:00:00.000Z',
};

test.each(ERASE_CASES)(`the dlt program ${WITH_DLT}: $name`, async ({ before, erasure, after }) => {
  if (!existsSync(DLT_PYTHON)) return;
  const feeds: Record<string, object[]> = { ...before };
  // An API whose cursor is the number of rows before a page.
  const scripted = await startScriptedApi((response, request) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
    const rows = feeds[pathname.replace('/api/v1/', '')] ?? [];
    const data = rows.slice(Number(searchParams.get('cursor') ?? 0));
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ data, nextCursor: String(rows.length), hasMore: false }));
  });
  const folder = copyExamples('loaders');
  const load = async () => {
    const running = startExecutable(DLT_PYTHON, [path.join(folder, 'deal_signals_dlt.py')], {
      HOME: folder,
      DLT_DATA_DIR: path.join(folder, 'dlt'),
      DESTINATION__DUCKDB__CREDENTIALS: path.join(folder, 'copy.duckdb'),
      RUNTIME__DLTHUB_TELEMETRY: 'false',
      DEAL_SIGNALS_URL: scripted.url,
      DEAL_SIGNALS_API_KEY: 'key',
    });
    expect(await running.ended).toMatchObject({ exitCode: 0 });
  };
  await load();
  feeds['erasures'] = [{ ...ERASURE, ...erasure }];
  await load();
  await scripted.close();
  const program = `import duckdb, json, sys
c = duckdb.connect(sys.argv[1]).cursor()
print(json.dumps({t: c.sql(f"SELECT to_json(t) AS r FROM deal_signals.{t} t").fetchall() for t in sys.argv[2:]}))`;
  const tables = Object.keys(after).map((feed) => tableOf(feed as Feed));
  const printed = execFileSync(DLT_PYTHON, ['-c', program, path.join(folder, 'copy.duckdb'), ...tables]);
  const loaded = JSON.parse(printed.toString()) as Record<string, [string][]>;
  for (const [feed, expected] of Object.entries(after)) {
    const rows = loaded[tableOf(feed as Feed)]!.map(([json]) => JSON.parse(json) as Record<string, unknown>);
    for (const { id, ...fields } of expected) {
      const row = rows.find((one) => one['id'] === id)!;
      for (const [field, value] of Object.entries(fields)) {
        const stored = row[field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
        expect([feed, id, field, stored ?? null]).toEqual([feed, id, field, value]);
      }
    }
  }
  // dlt keeps compressed files of the loaded data.
  const kept = readdirSync(path.join(folder, 'dlt'), { recursive: true, encoding: 'utf8' });
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter((file) => /_jobs\/./.test(file))).toEqual([]);
});
