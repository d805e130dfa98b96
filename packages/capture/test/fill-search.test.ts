import { capture } from '@deal-signals/test-kit/worlds/captured';
import { beforeEach, expect, test } from '@jest/globals';
import { fillSearch, type Filled } from '../src/fill-search.ts';
import { capturedDatabase } from './captured-database.ts';
import { everything } from './records.ts';

const database = capturedDatabase();

beforeEach(async () => {
  await capture(database.db, ...everything);
});

test('the words of rows that were there before are those that the triggers write, and nothing is written twice', async () => {
  const { db } = database;
  const words = () =>
    db.searchWord.findMany({ orderBy: [{ kind: 'asc' }, { word: 'asc' }, { objectId: 'asc' }] });
  const written = await words();
  expect(new Set(written.map(({ kind }) => kind))).toEqual(new Set([1, 2, 3]));
  await db.searchWord.deleteMany();
  const fill = async () => {
    const filled: Filled[] = [];
    await fillSearch(db, (one) => filled.push(one));
    return filled;
  };
  const filled = await fill();
  expect(filled.map(({ name }) => name)).toEqual(['rooms', 'calls', 'people']);
  expect(filled.reduce((sum, one) => sum + one.words, 0)).toBe(written.length);
  expect(await words()).toEqual(written);
  expect((await fill()).map((one) => one.words)).toEqual([0, 0, 0]);
});

test('a workspace with more rows than a batch is filled to the end', async () => {
  const { db } = database;
  await db.$executeRaw`
    INSERT INTO rooms (company_id, id, name, created_at, last_activity_at, object_text)
    SELECT company_id, gen_random_uuid(), 'Fillable ' || n, now(), now(), '{}'
    FROM (SELECT DISTINCT company_id FROM rooms) AS r, generate_series(1, 2500) n`;
  const written = await db.searchWord.count();
  await db.searchWord.deleteMany();
  await fillSearch(db, () => {});
  expect(await db.searchWord.count()).toBe(written);
  expect(written).toBeGreaterThan(5_000);
});
