import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mintKey } from '../published-api.ts';
import { Poller, type FeedObject } from '../system/poller.ts';
import { askPython, copyExamples, EXAMPLES, HAS_PYTHON, startProgram } from '../docs/programs.ts';

const FEEDS = [
  'calls',
  'decision-rooms',
  'people',
  'documents',
  'esign-documents',
  'distributions',
  'engagement/events',
  'engagement/views',
];
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

interface Synchroniser {
  file: string;
  /** Returns the rows that it has stored of a feed, by id. */
  read: (folder: string, feed: string) => Record<string, FeedObject>;
  remove: (folder: string, feed: string, rowId: string) => void;
}

const copyFile = (folder: string, feed: string) => path.join(folder, `${feed.replace('/', '-')}.json`);
const readCopy = (folder: string, feed: string) => JSON.parse(readFileSync(copyFile(folder, feed), 'utf8'));
const OPEN_COPY = 'import sqlite3, json\ndb = sqlite3.connect("deal-signals.db")\n';

const inTypeScript: Synchroniser = {
  file: 'sync.mts',
  read: (folder, feed) => readCopy(folder, feed).rows,
  remove(folder, feed, rowId) {
    const copy = readCopy(folder, feed);
    delete copy.rows[rowId];
    writeFileSync(copyFile(folder, feed), JSON.stringify(copy));
  },
};

const inPython: Synchroniser = {
  file: 'sync.py',
  read(folder, feed) {
    const query = `SELECT id, body FROM copy WHERE feed = '${feed}'`;
    return askPython(
      folder,
      `${OPEN_COPY}print(json.dumps({i: json.loads(b) for i, b in db.execute("${query}")}))`,
    );
  },
  remove(folder, feed, rowId) {
    const statement = `DELETE FROM copy WHERE feed = '${feed}' AND id = '${rowId}'`;
    askPython(folder, `${OPEN_COPY}print(db.execute("${statement}").rowcount)\ndb.commit()`);
  },
};

describe.each([inTypeScript, ...(HAS_PYTHON ? [inPython] : [])])(
  'docs/examples/sync/$file',
  ({ file, read, remove }) => {
    test('copies all eight feeds, follows them, and continues from its cursors after a crash', async () => {
      const folder = copyExamples('sync');
      const ownKey = await mintKey(api.baseUrl);
      const start = (pollSeconds: string) =>
        startProgram(folder, file, {
          DEAL_SIGNALS_URL: api.baseUrl,
          DEAL_SIGNALS_API_KEY: ownKey,
          POLL_SECONDS: pollSeconds,
        });
      const eventPages = () =>
        api
          .output()
          .split('\n')
          .filter((line) => line.includes(ownKey.slice(0, 13)) && line.includes('"/engagement/events"'))
          .length;
      const isComplete = async () => {
        for (const feed of FEEDS) {
          expect(read(folder, feed)).toEqual(Object.fromEntries(await served(feed)));
        }
        return true;
      };

      // The next poll is an hour away, so every page comes from following hasMore, and none is read twice.
      const backfill = start('3600');
      await backfill.until('the copy is complete', isComplete);
      expect(Object.keys(read(folder, 'engagement/events')).length).toBeGreaterThanOrEqual(EVENTS);
      await backfill.until('its requests are logged', () => eventPages() >= 3);
      expect(eventPages()).toBe(3);
      await backfill.kill();

      const program = start('0.2');
      await program.until('it polls', () => eventPages() > 4);
      await capture(
        database.db,
        { record: 'callSummary', callId: CALL, summary: { headline: `for ${file}` } },
        { record: 'room', id: ROOM, name: `Globex of ${file}` },
        { record: 'room', id: uuid(file.length * 100), name: 'Initech' },
        { record: 'member', roomId: ROOM, name: `Reader of ${file}`, role: 'Champion' },
        { record: 'document', id: uuid(5), title: `Pricing of ${file}` },
        event(file),
        view(file),
      );
      await program.until('the copy has followed', isComplete);
      expect(read(folder, 'calls')[CALL]).toMatchObject({ summary: { headline: `for ${file}` } });

      await program.kill();
      const latest = Object.keys(read(folder, 'engagement/events')).toSorted().at(-1) ?? '';
      remove(folder, 'engagement/events', latest);
      await capture(database.db, event(`${file} again`));
      const newest = [...(await served('engagement/events')).keys()].at(-1) ?? '';
      const restarted = start('0.2');
      await restarted.until('the newest event is there', () => read(folder, 'engagement/events')[newest]);
      // A program that continues from its stored cursor does not read that event a second time.
      expect(read(folder, 'engagement/events')[latest]).toBeUndefined();
    });
  },
);

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
