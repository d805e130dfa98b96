import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cursorFile } from '../../src/stores/cursor-file.ts';
import { cursorStore } from '../../src/stores/cursor-store.ts';
import { openSqlite, type SqliteDatabase } from '../../src/stores/sqlite-driver.ts';
import { StoreConflict } from '../../src/stores/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { event, pageOf } from './pages.ts';

const FEED = 'engagement/events';

describe('cursors in a file', () => {
  test('are kept when it is opened again, including those of other feeds', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'cursors.json');
    const store = cursorStore(cursorFile(file));
    expect(await store.readCursor(FEED)).toBeNull();
    await store.claimWorkspace(1);
    await store.savePage(pageOf(null, event(1)));
    const again = cursorStore(cursorFile(file));
    expect([await again.readCursor(FEED), await again.readCursor('calls')]).toEqual(['1', null]);
    await expect(again.claimWorkspace(2)).rejects.toThrow('workspace 1');
    await again.claimWorkspace(1);
    expect(readdirSync(folder)).toEqual(['cursors.json']);
  });

  test('do not move if the handler of a page fails', async () => {
    const store = cursorStore(cursorFile(path.join(temporaryFolder(), 'cursors.json')));
    const failing = store.savePage(pageOf(null, event(1)), () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await store.readCursor(FEED)).toBeNull();
  });

  test('are a conflict if another program has moved them', async () => {
    const file = path.join(temporaryFolder(), 'cursors.json');
    await cursorStore(cursorFile(file)).savePage(pageOf(null, event(1)));
    const store = cursorStore(cursorFile(file));
    await expect(store.savePage(pageOf(null, event(2)))).rejects.toThrow(StoreConflict);
    expect(await store.readCursor(FEED)).toBe('1');
  });

  test.each(['{"cursor of calls":"1"', '[1]', 'null'])('are rejected if the file is %s', async (text) => {
    const file = path.join(temporaryFolder(), 'cursors.json');
    writeFileSync(file, text);
    await expect(cursorStore(cursorFile(file)).readCursor('calls')).rejects.toThrow('is damaged');
  });
});

test("cursors in the caller's transaction are committed with the caller's rows, or neither are", async () => {
  const database = await openSqlite(':memory:');
  database.exec('CREATE TABLE my_cursors (name TEXT PRIMARY KEY, text TEXT); CREATE TABLE my_rows (id TEXT)');
  const store = cursorStore<SqliteDatabase>({
    async transaction(run) {
      database.exec('BEGIN');
      try {
        const result = await run(database);
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    read: (name, transaction) =>
      (
        transaction.prepare('SELECT text FROM my_cursors WHERE name = ?').get(name) as
          { text: string } | undefined
      )?.text ?? null,
    write: (name, text, transaction) =>
      transaction.prepare('INSERT OR REPLACE INTO my_cursors VALUES (?, ?)').run(name, text),
  });
  const save = (previousCursor: string | null, id: number, fails: boolean) =>
    store.savePage(pageOf(previousCursor, event(id)), (transaction) => {
      transaction.prepare('INSERT INTO my_rows VALUES (?)').run(String(id));
      if (fails) throw new Error('no');
    });
  await save(null, 1, false);
  await expect(save('1', 2, true)).rejects.toThrow('no');
  expect(await store.readCursor(FEED)).toBe('1');
  expect(database.prepare('SELECT id FROM my_rows').all()).toHaveLength(1);
  await save('1', 2, false);
  expect(database.prepare('SELECT id FROM my_rows').all()).toHaveLength(2);
  database.close();
});
