import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('appends records unchanged, and keeps the cursor', async () => {
  await store.savePage(pageOf(null, event(1), event(2)));
  await store.savePage(pageOf('2', event(3)));
  await reopen();
  expect(await store.readCursor(FEED)).toBe('3');
  expect(ids()).toEqual(['1', '2', '3']);
  expect(readFileSync(file(), 'utf8').split('\n')[0]).toBe(JSON.stringify(event(1)));
});

/** The state of a folder, and what the store does with it. */
interface Case {
  name: string;
  state: string | null;
  file: string | null;
  lock?: string;
  opened?: { file: string | null; cursor: string | null };
  whileOpen?: string | null;
  saved?: string;
  refused?: string;
}

const { cases } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'file-store-cases.json'), 'utf8'),
) as { cases: Case[] };

describe('finds', () => {
  test.each(cases)('$name', async ({ state, file: found, lock, opened, whileOpen, saved, refused }) => {
    folder = path.join(temporaryFolder(), 'found');
    mkdirSync(folder);
    put('state.json', state);
    put('engagement_events.ndjson', found);
    put('lock', lock ?? null);
    let kept = found;
    try {
      store = await openFileStore(folder);
      const cursor = await store.readCursor(FEED);
      kept = read('engagement_events.ndjson');
      expect({ file: kept, cursor }).toEqual(opened);
      if (whileOpen !== undefined) put('engagement_events.ndjson', (kept = whileOpen));
      await store.savePage(pageOf(cursor, { id: '2' } as ReturnType<typeof event>));
      expect(read('engagement_events.ndjson')).toBe(saved);
      expect(refused).toBeUndefined();
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
      expect(error.message).toContain(refused);
      expect([read('engagement_events.ndjson'), read('state.json')]).toEqual([kept, state]);
    }
    // Neither a rejected folder nor a closed store leaves a lock behind.
    if (opened !== undefined) await store.close();
    expect(read('lock')).toBeNull();
  });
});

function put(name: string, content: string | null): void {
  if (content === null) rmSync(path.join(folder, name), { force: true });
  else writeFileSync(path.join(folder, name), content);
}

function read(name: string): string | null {
  const found = path.join(folder, name);
  return existsSync(found) ? readFileSync(found, 'utf8') : null;
}

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

test('replaces the lock of a program that has ended without removing it', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(path.join(folder, 'lock'), String(pid));
  store = await openFileStore(folder);
  expect(readFileSync(path.join(folder, 'lock'), 'utf8')).toBe(String(process.pid));
  await store.close();
  expect(existsSync(path.join(folder, 'lock'))).toBe(false);
});
