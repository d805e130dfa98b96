import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Feed, type FeedPage, type FeedRecords, tableOf } from '../../src/feeds/feeds.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { openSqlite } from '../../src/stores/sqlite-driver.ts';
import { openSqliteStore } from '../../src/stores/sqlite-store.ts';
import type { FeedStore, RowStore } from '../../src/stores/store.ts';
import { applyEvent } from '../../src/webhooks/apply-webhook.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventId } from '../webhooks/apply-cases.ts';

type Rows = Record<string, (Record<string, unknown> & { id: string })[]>;

const { cases } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'erase-cases.json'), 'utf8')) as {
  cases: { name: string; before: Rows; erasure: object; after: Rows }[];
};

const ERASURE: FeedRecords['erasures'] = {
  id: eventId(1),
  erasureId: eventId(1),
  kind: 'person',
  buyerSpaceId: null,
  emailSha256: null,
  personIds: [],
  distributionIds: [],
  engagementEventIds: [],
  engagementViewIds: [],
  engagementBefore: null,
  erasedAt: '2026-09-02T00:00:00.000Z',
};

const JSON_COLUMNS = ['actor', 'metadata', 'recipient'];

async function save(store: FeedStore<any>, feed: Feed, data: object[]): Promise<void> {
  const page = { data, nextCursor: 'next', hasMore: false } as FeedPage;
  await store.savePage({ feed, page, previousCursor: await store.readCursor(feed) });
}

/** Returns the rows of a store, reduced to the fields of the expected rows. */
function asExpected(rows: Rows, read: (feed: string) => Record<string, unknown>[]): Rows {
  return Object.fromEntries(
    Object.entries(rows).map(([feed, expected]) => {
      const found = new Map(read(feed).map((row) => [row['id'], row]));
      return [
        feed,
        expected.map((fields) => {
          const row = found.get(fields.id)!;
          return Object.fromEntries(
            Object.keys(fields).map((name) => [name, row[name] ?? null]),
          ) as Rows[string][number];
        }),
      ];
    }),
  );
}

function sqliteRows(
  store: Awaited<ReturnType<typeof openSqliteStore>>,
  feed: string,
): Record<string, unknown>[] {
  const rows = store.database.prepare(`SELECT * FROM ${tableOf(feed as Feed)}`).all() as Record<
    string,
    unknown
  >[];
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
        column === 'id'
          ? String(value)
          : JSON_COLUMNS.includes(column) && value !== null
            ? JSON.parse(value as string)
            : value,
      ]),
    ),
  );
}

function fileRows(folder: string, feed: string): Record<string, unknown>[] {
  const text = readFileSync(path.join(folder, `${tableOf(feed as Feed)}.ndjson`), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.each(cases)('$name', ({ before, erasure, after }) => {
  const entry = { ...ERASURE, ...erasure };

  test('in SQLite, by the feed', async () => {
    const store = await openSqliteStore(path.join(temporaryFolder(), 'copy.db'));
    for (const [feed, rows] of Object.entries(before)) await save(store, feed as Feed, rows);
    await save(store, 'erasures', [entry]);
    expect(asExpected(after, (feed) => sqliteRows(store, feed))).toEqual(after);
    await store.close();
  });

  test('in SQLite, by a webhook', async () => {
    const store = await openSqliteStore(path.join(temporaryFolder(), 'copy.db'));
    for (const [feed, rows] of Object.entries(before)) await save(store, feed as Feed, rows);
    const event = { type: `${entry.kind}.erased`, apiVersion: '', createdAt: '', companyId: 1, data: entry };
    expect(await applyEvent(store as RowStore<unknown>, { ...event, id: eventId(2) })).toBe('written');
    expect(asExpected(after, (feed) => sqliteRows(store, feed))).toEqual(after);
    await store.close();
  });

  test('in files, which keep no line from before', async () => {
    const folder = path.join(temporaryFolder(), 'copy');
    const store = await openFileStore(folder);
    for (const [feed, rows] of Object.entries(before)) {
      await save(
        store,
        feed as Feed,
        rows.map((row) => ({ ...row, name: 'a line that is replaced' })),
      );
      await save(store, feed as Feed, rows);
    }
    await save(store, 'erasures', [entry]);
    expect(asExpected(after, (feed) => fileRows(folder, feed))).toEqual(after);
    for (const [feed, rows] of Object.entries(before))
      expect(fileRows(folder, feed)).toHaveLength(rows.length);
    // The store continues where the files end now.
    await save(store, 'people', [{ id: 'p9' }]);
    await store.close();
    const reopened = await openFileStore(folder);
    expect(fileRows(folder, 'people').at(-1)).toEqual({ id: 'p9' });
    await reopened.close();
  });
});

/** The stores with rows, and how to read their rows. */
const STORES = {
  SQLite: async (folder: string) => {
    const store = await openSqliteStore(path.join(folder, 'copy.db'));
    return { store: store as FeedStore<any>, read: (feed: string) => sqliteRows(store, feed) };
  },
  files: async (folder: string) => ({
    store: (await openFileStore(folder)) as FeedStore<any>,
    read: (feed: string) => fileRows(folder, feed),
  }),
};

describe.each(Object.entries(STORES))('in %s, a page that lacks an erasure', (_name, open) => {
  test.each(cases)('and was read before it is stored without: $name', async ({ before, erasure, after }) => {
    const { store, read } = await open(temporaryFolder());
    // The feeds are followed at the same time: each is read before the erasure is stored, and stored after it.
    for (const feed of Object.keys(before)) expect(await store.readCursor(feed as Feed)).toBeNull();
    await save(store, 'erasures', [{ ...ERASURE, ...erasure }]);
    const handled: Rows = {};
    for (const [feed, rows] of Object.entries(before)) {
      const page = { data: rows, nextCursor: 'next', hasMore: false } as unknown as FeedPage;
      await store.savePage({ feed: feed as Feed, page, previousCursor: null }, (_transaction, stored) => {
        handled[feed] = stored.data;
      });
    }
    expect(asExpected(after, read)).toEqual(after);
    expect(asExpected(after, (feed) => handled[feed]!)).toEqual(after);
    await store.close();
  });

  test('and comes from a replica that lags behind is stored without', async () => {
    const { store, read } = await open(temporaryFolder());
    await store.readCursor('engagement/events');
    await save(store, 'engagement/events', [
      { id: '1', personId: 'p2', actor: { name: 'Eve', email: null } },
    ]);
    await save(store, 'erasures', [{ ...ERASURE, personIds: ['p1'] }]);
    for (const id of ['2', '3']) {
      await save(store, 'engagement/events', [{ id, personId: 'p1', actor: { name: 'Bob', email: null } }]);
    }
    expect(read('engagement/events').map(({ actor }) => (actor as { name: string }).name)).toEqual([
      'Eve',
      null,
      null,
    ]);
    await store.close();
  });
});

test('two programs with one SQLite file: one erases while the other has read a page', async () => {
  const file = path.join(temporaryFolder(), 'copy.db');
  const [follower, receiver] = [await openSqliteStore(file), await openSqliteStore(file)];
  await follower.readCursor('engagement/events');
  const data = { ...ERASURE, personIds: ['p1'] };
  const event = { type: 'person.erased', apiVersion: '', createdAt: '', companyId: 1, data };
  await applyEvent(receiver as RowStore<unknown>, { ...event, id: eventId(2) });
  const bob = { id: '1', personId: 'p1', actor: { name: 'Bob', email: null } };
  await save(follower, 'engagement/events', [bob]);
  expect(sqliteRows(follower, 'engagement/events')).toMatchObject([{ actor: { name: null, email: null } }]);
  await follower.close();
  await receiver.close();
});

test('a webhook that arrives after an erasure is stored without the erased data, unless it was recorded later', async () => {
  const store = await openSqliteStore(path.join(temporaryFolder(), 'copy.db'));
  await save(store, 'erasures', [{ ...ERASURE, buyerSpaceId: 'r1', engagementBefore: '900719925474099312' }]);
  const deliver = (id: string, createdAt: string) =>
    applyEvent(store as RowStore<unknown>, {
      id: eventId(Number(id.at(-1))),
      type: 'engagement.recorded',
      apiVersion: '',
      createdAt,
      companyId: 1,
      data: { id, buyerSpaceId: 'r1', actor: { name: 'Bob', email: null }, metadata: { said: 'Bob' } },
    });
  await deliver('900719925474099311', '2026-09-01T23:59:59.000Z');
  await deliver('900719925474099312', '2026-09-02T00:00:01.000Z');
  const rows = store.database
    .prepare('SELECT CAST(id AS TEXT) AS id, actor, metadata FROM engagement_events ORDER BY id')
    .all();
  expect(rows).toEqual([
    { id: '900719925474099311', actor: '{"name":null,"email":null}', metadata: '{}' },
    { id: '900719925474099312', actor: '{"name":"Bob","email":null}', metadata: '{"said":"Bob"}' },
  ]);
  await store.close();
});

describe('the bytes of a SQLite file', () => {
  const NAME = 'Zoe Quistgaard';

  /** Counts how often the name occurs in the file, its write-ahead log and other files next to it. */
  const occurrences = (folder: string): Record<string, number> =>
    Object.fromEntries(
      readdirSync(folder).map((file) => [
        file,
        readFileSync(path.join(folder, file), 'latin1').split(NAME).length - 1,
      ]),
    );

  /** Stores pages of events that name the person, in rows of many sizes, so that pages of the file are split and freed. */
  async function fill(store: FeedStore<any>): Promise<void> {
    for (let first = 1; first < 2_000; first += 500) {
      const data = Array.from({ length: 500 }, (_, n) => ({
        id: String(first + n),
        personId: n % 3 === 0 ? 'p2' : 'p1',
        actor: n % 3 === 0 ? { name: 'Eve', email: null } : { name: NAME, email: null },
        metadata: n % 3 === 0 ? {} : { text: `${'x'.repeat((n * 37) % 6_000)} ${NAME}` },
      }));
      await save(store, 'engagement/events', data);
    }
    await save(store, 'people', [{ id: 'p1', name: NAME, updatedAt: '2026-09-01T00:00:00.000Z' }]);
  }

  const entry = {
    ...ERASURE,
    personIds: ['p1'],
    engagementEventIds: Array.from({ length: 2_000 }, (_, n) => String(n + 1)),
  };

  test('contain no erased data while the store is open', async () => {
    const folder = temporaryFolder();
    const store = await openSqliteStore(path.join(folder, 'copy.db'));
    await fill(store);
    expect(occurrences(folder)['copy.db-wal']).toBeGreaterThan(0);
    await save(store, 'erasures', [entry]);
    expect(Object.values(occurrences(folder))).toEqual([0, 0, 0]);
    await store.close();
  });

  test('contain no erased data after a crash before the log was emptied, once the next page is stored', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'copy.db');
    const store = await openSqliteStore(file);
    await fill(store);
    // A concurrent reader prevents the log from being emptied, as a crash does.
    const reader = await openSqlite(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM people').get();
    await save(store, 'erasures', [entry]);
    expect(occurrences(folder)['copy.db-wal']).toBeGreaterThan(0);
    reader.exec('COMMIT');
    const next = await openSqliteStore(file);
    await save(next, 'calls', [{ id: 'c1' }]);
    expect(Object.values(occurrences(folder))).toEqual([0, 0, 0]);
    for (const open of [reader, store, next]) await open.close();
  });
});

test('opening the folder repairs a crash between the state and the files', async () => {
  const folder = path.join(temporaryFolder(), 'copy');
  const store = await openFileStore(folder);
  const row = cases[0]!.before['people']![0]!;
  await save(store, 'people', [row]);
  const file = path.join(folder, 'people.ndjson');
  const old = readFileSync(file);
  await save(store, 'erasures', [{ ...ERASURE, personIds: [row.id] }]);
  await store.close();
  // Simulates a crash before the file was replaced.
  renameSync(file, `${file}.erased`);
  writeFileSync(file, old);
  const state = path.join(folder, 'state.json');
  const stored = JSON.parse(readFileSync(state, 'utf8')) as object;
  writeFileSync(state, JSON.stringify({ ...stored, replacing: ['people'] }));

  const reopened = await openFileStore(folder);
  expect(fileRows(folder, 'people')).toMatchObject([{ id: row.id, name: null }]);
  expect(existsSync(`${file}.erased`)).toBe(false);
  expect(readFileSync(state, 'utf8')).not.toContain('replacing');
  await reopened.close();
});

test('an erasure waits for the handler of a page in files, and keeps its lines', async () => {
  const folder = path.join(temporaryFolder(), 'copy');
  const store = await openFileStore(folder);
  await save(store, 'people', [{ id: 'p0', name: 'Eve', updatedAt: '2026-09-01T00:00:00.000Z' }]);
  let letGo = (): void => {};
  const isHandled = new Promise<void>((resolve) => (letGo = resolve));
  const data = [{ id: 'p1', name: 'Bob', updatedAt: '2026-09-01T00:00:00.000Z' }] as FeedRecords['people'][];
  const page = { data, nextCursor: 'next', hasMore: false };
  const saving = store.savePage({ feed: 'people', page, previousCursor: 'next' }, () => isHandled);
  const erasing = save(store, 'erasures', [{ ...ERASURE, personIds: ['p1'] }]);
  setImmediate(letGo);
  await Promise.all([saving, erasing]);
  expect(fileRows(folder, 'people')).toMatchObject([
    { id: 'p0', name: 'Eve' },
    { id: 'p1', name: null },
  ]);
  await store.close();
  await (await openFileStore(folder)).close();
});

test('the files lose the old lines of an erasure as soon as the feed returns the changed records', async () => {
  const folder = path.join(temporaryFolder(), 'copy');
  const store = await openFileStore(folder);
  const call = (title: string) => ({ id: 'c1', title });
  await save(store, 'calls', [call('For Bob')]);
  await save(store, 'erasures', [ERASURE]);
  expect(fileRows(folder, 'calls')).toEqual([call('For Bob')]);
  await save(store, 'calls', [call('For [erased]')]);
  expect(fileRows(folder, 'calls')).toEqual([call('For [erased]')]);
  // Afterwards, lines are appended again.
  await save(store, 'calls', [call('again')]);
  expect(fileRows(folder, 'calls')).toHaveLength(2);
  await store.close();
});
