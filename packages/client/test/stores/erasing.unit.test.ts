import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Feed, type FeedPage, type FeedRecords, tableOf } from '../../src/feeds/feeds.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
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

/** The fields of the expected rows, as a store has them. */
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

  test('in files, of which no line of before is left', async () => {
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
    // The store goes on where the files end now.
    await save(store, 'people', [{ id: 'p9' }]);
    await store.close();
    const reopened = await openFileStore(folder);
    expect(fileRows(folder, 'people').at(-1)).toEqual({ id: 'p9' });
    await reopened.close();
  });
});

test('a crash between the state and the files is made good when the folder is opened', async () => {
  const folder = path.join(temporaryFolder(), 'copy');
  const store = await openFileStore(folder);
  const row = cases[0]!.before['people']![0]!;
  await save(store, 'people', [row]);
  const file = path.join(folder, 'people.ndjson');
  const old = readFileSync(file);
  await save(store, 'erasures', [{ ...ERASURE, personIds: [row.id] }]);
  await store.close();
  // As if it had crashed before it replaced the file.
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

test('what an erasure replaces is gone from the files as soon as its feed has brought it', async () => {
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
