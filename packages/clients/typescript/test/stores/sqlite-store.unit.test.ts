import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSqlite } from '../../src/stores/sqlite-driver.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite-store.ts';
import { StoreConflict } from '../../src/stores/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { event, pageOf, room } from './pages.ts';

const FEED = 'engagement/events';

let file: string;
let store: SqliteStore;

beforeEach(async () => {
  file = path.join(temporaryFolder(), 'copy.db');
  store = await openSqliteStore(file);
});

afterEach(() => store.close());

const rows = (sql: string) => store.database.prepare(sql).all() as Record<string, unknown>[];

test('uses the SQLite of Node.js if it has one', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isInNode = major > 22 || (major === 22 && minor >= 13);
  // The class has different names in different versions.
  const inNode = process.getBuiltinModule('node:sqlite') as { DatabaseSync: typeof Object } | undefined;
  expect(inNode !== undefined && store.database instanceof inNode.DatabaseSync).toBe(isInNode);
});

test('stores every field in a column of its type', async () => {
  await store.readCursor(FEED);
  await store.savePage(pageOf(null, event(1_000_000_000_000)));
  const [row] = rows('SELECT *, typeof(id) AS id_type FROM engagement_events');
  expect(row).toMatchObject({
    id: 1_000_000_000_000,
    id_type: 'integer',
    type: 'room_visit',
    occurred_at: '2026-09-01T12:00:00.000Z',
    demo_title: null,
    forwarded_from_distribution_id: null,
  });
  expect(JSON.parse(String(row?.['metadata']))).toEqual(event(1).metadata);
  expect(JSON.parse(String(row?.['actor']))).toEqual({ name: 'Bob', email: null });
});

test('replaces a row with the same id, also with large numbers', async () => {
  const save = (previousCursor: string | null, nextCursor: string, status: 'open' | 'won') =>
    store.savePage({
      feed: 'decision-rooms',
      page: { data: [room(status)], nextCursor, hasMore: false },
      previousCursor,
    });
  await save(null, 'a', 'open');
  await save('a', 'b', 'won');
  expect(rows('SELECT status, deal_value_cents FROM decision_rooms')).toEqual([
    expect.objectContaining({ status: 'won', deal_value_cents: 9_007_199_254_740_991 }),
  ]);
  expect(await store.readCursor('decision-rooms')).toBe('b');
});

test('keeps the cursor and the rows when it is opened again', async () => {
  await store.savePage(pageOf(null, event(1), event(2)));
  await store.close();
  store = await openSqliteStore(file);
  expect(await store.readCursor(FEED)).toBe('2');
  expect(rows('SELECT id FROM engagement_events')).toHaveLength(2);
});

test('commits the writes of the handler together with the page, or neither', async () => {
  store.database.exec('CREATE TABLE handled (event_id INTEGER)');
  await store.savePage(pageOf(null, event(1)), (database) => {
    database.prepare('INSERT INTO handled VALUES (?)').run(1);
  });
  const failing = store.savePage(pageOf('1', event(2)), (database) => {
    database.prepare('INSERT INTO handled VALUES (?)').run(2);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(rows('SELECT event_id FROM handled')).toHaveLength(1);
  expect(rows('SELECT id FROM engagement_events')).toHaveLength(1);
  expect(await store.readCursor(FEED)).toBe('1');
});

test('stores the pages of several feeds one after the other', async () => {
  const order: string[] = [];
  const slow = store.savePage(pageOf(null, event(1)), async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push('events');
  });
  const rooms = store.savePage(
    {
      feed: 'decision-rooms',
      page: { data: [room('open')], nextCursor: 'a', hasMore: false },
      previousCursor: null,
    },
    () => {
      order.push('rooms');
    },
  );
  await Promise.all([slow, rooms]);
  expect(order).toEqual(['events', 'rooms']);
});

describe('a conflict', () => {
  test('if another program has moved the cursor; its rows stay', async () => {
    const other = await openSqliteStore(file);
    expect(await store.readCursor(FEED)).toBeNull();
    await other.savePage(pageOf(null, event(1)));
    await other.close();
    await expect(store.savePage(pageOf(null, event(1, { type: 'stale' })))).rejects.toThrow(StoreConflict);
    expect(rows('SELECT type FROM engagement_events')).toEqual([
      expect.objectContaining({ type: 'room_visit' }),
    ]);
  });

  test('if the file holds another workspace', async () => {
    await store.claimWorkspace(1);
    await store.claimWorkspace(1);
    await expect(store.claimWorkspace(2)).rejects.toThrow(
      'the store holds the data of workspace 1, but the API key belongs to workspace 2',
    );
  });
});

test('adds the columns and indexes that a newer version of the API has, and keeps those of the owner', async () => {
  await store.savePage(pageOf(null, event(1)));
  store.database.exec('DROP INDEX engagement_events_by_buyer_space_id');
  store.database.exec('ALTER TABLE engagement_events DROP COLUMN buyer_space_id');
  store.database.exec('ALTER TABLE engagement_events ADD COLUMN my_note TEXT');
  store.database.exec("UPDATE engagement_events SET my_note = 'mine'");
  await store.close();

  store = await openSqliteStore(file);
  await store.readCursor(FEED);
  await store.savePage(pageOf('1', event(1), event(2)));
  expect(rows('SELECT my_note, buyer_space_id FROM engagement_events WHERE id = 1')).toEqual([
    expect.objectContaining({ my_note: 'mine', buyer_space_id: event(1).buyerSpaceId }),
  ]);
  expect(rows("SELECT name FROM pragma_index_list('engagement_events') WHERE origin = 'c'")).toEqual([
    expect.objectContaining({ name: 'engagement_events_by_buyer_space_id' }),
  ]);
});

test.each(['Crm_', '1', 'a"b', 'x'.repeat(21)])('rejects the prefix %s', async (prefix) => {
  await expect(openSqliteStore(':memory:', { prefix })).rejects.toThrow('a prefix has lower-case letters');
});

test('rejects a foreign table that differs only in case, when its feed is first read', async () => {
  const other = path.join(temporaryFolder(), 'other.db');
  const foreign = await openSqlite(other);
  foreign.exec('CREATE VIEW People AS SELECT 1');
  foreign.close();
  const before = readFileSync(other);
  const opened = await openSqliteStore(other);
  await expect(opened.readCursor('people')).rejects.toThrow(StoreConflict);
  await opened.close();
  expect(readFileSync(other).equals(before)).toBe(true);
});

test('the view watched_recordings never exceeds 100 %, also if the length was not always known', async () => {
  await store.close();
  store = await openSqliteStore(file, { views: true });
  const session = (id: string, endSeconds: number, durationSeconds: number | null) => ({
    id,
    personId: 'p',
    demoId: 'd',
    durationSeconds,
    watchSeconds: endSeconds,
    segments: [{ startSeconds: 0, endSeconds }],
  });
  const save = (feed: string, data: object[]) =>
    store.savePage({ feed, page: { data, nextCursor: '1', hasMore: false }, previousCursor: null } as never);
  await save('people', [{ id: 'p', name: 'Zoe' }]);
  await save('engagement/views', [session('1', 130, null), session('2', 60, 100)]);
  expect(rows('SELECT unique_seconds, completion_percent FROM watched_recordings')).toEqual([
    expect.objectContaining({ unique_seconds: 130, completion_percent: 100 }),
  ]);
});
