import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openFileStore } from '../../src/stores/file-store.ts';
import { type FeedStore, StoreConflict } from '../../src/stores/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { event, pageOf } from './pages.ts';

const FEED = 'engagement/events';

let folder: string;
let store: FeedStore;

beforeEach(async () => {
  folder = path.join(temporaryFolder(), 'new', 'copy');
  store = await openFileStore(folder);
});

afterEach(() => store.close());

const file = () => path.join(folder, 'engagement_events.ndjson');
const ids = () =>
  readFileSync(file(), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);

async function reopen(): Promise<void> {
  await store.close();
  store = await openFileStore(folder);
}

test('appends the records as they came, and keeps the cursor', async () => {
  await store.savePage(pageOf(null, event(1), event(2)));
  await store.savePage(pageOf('2', event(3)));
  await reopen();
  expect(await store.readCursor(FEED)).toBe('3');
  expect(ids()).toEqual(['1', '2', '3']);
  expect(readFileSync(file(), 'utf8').split('\n')[0]).toBe(JSON.stringify(event(1)));
});

test('cuts off what a crash has left behind the stored length', async () => {
  await store.savePage(pageOf(null, event(1, { demoTitle: 'Änderung 📈' })));
  // A page whose lines were written, and whose cursor was not: the last one is not even complete.
  appendFileSync(file(), `${JSON.stringify(event(2))}\n{"id":"3","ty`);
  await reopen();
  await store.savePage(pageOf('1', event(2)));
  expect(ids()).toEqual(['1', '2']);
});

test('opens with the files as they belong to the cursors, and refuses one that has lost records', async () => {
  await store.savePage(pageOf(null, event(1)));
  appendFileSync(file(), '{"id":"2"');
  await reopen();
  expect(ids()).toEqual(['1']);
  await store.close();
  writeFileSync(file(), '');
  const opening = openFileStore(folder);
  await expect(opening).rejects.toThrow(StoreConflict);
  await expect(opening).rejects.toThrow(`${file()} was changed or removed`);
  // The folder is not locked for a program that begins again.
  expect(existsSync(path.join(folder, 'lock'))).toBe(false);
});

test('stores nothing if the handler of the page throws', async () => {
  await store.savePage(pageOf(null, event(1)));
  const failing = store.savePage(pageOf('1', event(2)), () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await reopen();
  expect(await store.readCursor(FEED)).toBe('1');
  await store.savePage(pageOf('1', event(2)));
  expect(ids()).toEqual(['1', '2']);
});

describe('a conflict', () => {
  test('if the page was read with another cursor', async () => {
    await store.savePage(pageOf(null, event(1)));
    await expect(store.savePage(pageOf(null, event(1)))).rejects.toThrow(StoreConflict);
    expect(ids()).toEqual(['1']);
  });

  test('if the folder holds another workspace', async () => {
    await store.claimWorkspace(1);
    await reopen();
    await store.claimWorkspace(1);
    await expect(store.claimWorkspace(2)).rejects.toThrow(StoreConflict);
  });

  test('if a running program has the folder open', async () => {
    writeFileSync(path.join(folder, 'lock'), String(process.ppid));
    await expect(openFileStore(folder)).rejects.toThrow(`is in use by the process ${process.ppid}`);
  });
});

test('takes over the lock of a program that has ended without removing it', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(path.join(folder, 'lock'), String(pid));
  store = await openFileStore(folder);
  expect(readFileSync(path.join(folder, 'lock'), 'utf8')).toBe(String(process.pid));
  await store.close();
  expect(existsSync(path.join(folder, 'lock'))).toBe(false);
});
