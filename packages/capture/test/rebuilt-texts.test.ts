import { setTimeout as delay } from 'node:timers/promises';
import { CALL, capture, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { beforeEach, expect, test } from '@jest/globals';
import { type Rebuilt, rebuildTexts, TEXT_TABLES, type TextTable } from '../src/texts/rebuild-texts.ts';
import { capturedDatabase } from './captured-database.ts';
import { everything } from './records.ts';

const database = capturedDatabase();

beforeEach(async () => {
  await capture(database.db, ...everything);
});

/** The tables of a release whose objects have one more field. */
const NEXT_RELEASE: readonly TextTable[] = TEXT_TABLES.map((table) => ({
  ...table,
  async build(...args) {
    const rows = await table.build(...args);
    return rows.map((row) => ({ ...row, text: row.text.replace(/\}$/, ',"added":1}') }));
  },
}));

async function rebuild(tables?: readonly TextTable[]): Promise<Rebuilt[]> {
  const rebuilt: Rebuilt[] = [];
  await rebuildTexts(database.db, (one) => rebuilt.push(one), tables);
  return rebuilt;
}

/** Returns the texts of all rows, and the feed positions of the rows that can move. */
async function stored() {
  const { db } = database;
  const byId = { orderBy: { id: 'asc' } } as const;
  const rooms = await db.room.findMany(byId);
  const calls = await db.call.findMany(byId);
  const rows = [
    ...(await db.engagementEvent.findMany(byId)),
    ...(await db.engagementView.findMany(byId)),
    ...calls,
    ...rooms,
  ];
  return {
    texts: rows.map(({ objectText }) => objectText),
    positions: [...calls.map(({ updatedAt }) => updatedAt), ...rooms.map((room) => room.lastActivityAt)],
  };
}

test('rebuilding replaces the texts when objects have a new field, and moves nothing in the feeds', async () => {
  const before = await stored();
  expect((await rebuild()).map(({ written }) => written)).toEqual([0, 0, 0, 0]);
  expect(
    (await rebuild(NEXT_RELEASE)).every(({ objects, written }) => written > 0 && written === objects),
  ).toBe(true);
  const after = await stored();
  expect(after.texts).toEqual(before.texts.map((text) => text.replace(/\}$/, ',"added":1}')));
  expect(after.positions).toEqual(before.positions);
  expect((await rebuild(NEXT_RELEASE)).map(({ written }) => written)).toEqual([0, 0, 0, 0]);
  await rebuild();
  expect(await stored()).toEqual(before);
});

test('a change captured between reading a row and writing its text is kept', async () => {
  const { db } = database;
  const captures: Promise<void>[] = [];
  const slow = NEXT_RELEASE.map((table): TextTable => ({
    ...table,
    async build(queryable, ...args) {
      const rows = await table.build(queryable, ...args);
      const n = captures.length;
      captures.push(
        capture(
          db,
          { record: 'room', id: ROOM, name: `Globex ${n}` },
          { record: 'call', id: CALL, title: `Demo ${n}` },
          {
            record: 'event',
            key: `new ${n}`,
            type: 'comment',
            occurredAt: '2026-09-02',
            distributionId: LINK,
          },
        ),
      );
      // Long enough for a capture to commit if it does not wait.
      await delay(500);
      return rows;
    },
  }));
  await rebuild(slow);
  await Promise.all(captures);
  // Each table was read twice: once to find the differences, and once to write.
  expect(captures).toHaveLength(2 * TEXT_TABLES.length);

  const room = await db.room.findFirstOrThrow();
  const call = await db.call.findFirstOrThrow();
  expect([room.name, call.title]).toEqual(['Globex 7', 'Demo 7']);
  expect(JSON.parse(room.objectText.replaceAll('\n', 'null'))).toMatchObject({ name: room.name });
  expect(JSON.parse(call.objectText.replaceAll('\n', 'null'))).toMatchObject({ title: call.title });
});
