import { firstIdAt } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { addCompany, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EngagementEventFilter, findEngagementEvents } from '../src/engagement/event.ts';

// Events of 100 minutes, one a minute, with an import of old ones from minute 30 to 70.

const START = Date.UTC(2026, 8, 1);
const TYPES = ['comment', 'message', 'forward'];
const MAX_LOOKED_AT = 7;
const LIMIT = 3;

const minute = (n: number) => new Date(START + n * 60_000);

interface Row {
  id: bigint;
  occurredAt: Date;
  type: string;
  room: string;
}

let database: TestDatabase;
let rows: Row[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await addCompany(db, 1);
  await addRoom(db, 1, 1);
  await addRoom(db, 1, 2);
  const random = randomNumbers(5);
  rows = Array.from({ length: 100 }, (_, n) => ({
    id: firstIdAt(minute(n)),
    occurredAt: n >= 30 && n < 70 ? minute(n - 5_000) : minute(n),
    type: TYPES[random(10) === 0 ? 2 : random(2)]!,
    room: uuid(1 + random(2)),
  }));
  await db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    SELECT 1, id, 'event', id::text, type, "occurredAt", room, ${Prisma.raw(sqlText('event', 'id'))}
    FROM json_to_recordset(${JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}::json)
      AS r (id bigint, type text, "occurredAt" timestamptz, room uuid)`;
});
afterAll(() => database.drop());

/** Reads to the end. Returns the ids, and the number of rows on each page. */
async function walk(filter: Partial<EngagementEventFilter>) {
  const ids: bigint[] = [];
  const lengths: number[] = [];
  for (let after: bigint | null = 0n; after !== null;) {
    const page = await findEngagementEvents(database.db, 1, {
      ...filter,
      after,
      limit: LIMIT + 1,
      maxExamined: MAX_LOOKED_AT,
    });
    const shown = page.rows.slice(0, LIMIT).map(({ id }) => id);
    ids.push(...shown);
    lengths.push(shown.length);
    after = page.rows.length > LIMIT ? shown.at(-1)! : page.reached;
  }
  return { ids, lengths };
}

const matching = (matches: (row: Row) => boolean) => rows.filter(matches).map(({ id }) => id);

test.each<[string, Partial<EngagementEventFilter>, (row: Row) => boolean]>([
  ['all events', {}, () => true],
  ['events of a type', { types: ['comment'] }, ({ type }) => type === 'comment'],
  ['events of a rare type', { types: ['forward'] }, ({ type }) => type === 'forward'],
  ['events of two types', { types: ['forward', 'message'] }, ({ type }) => type !== 'comment'],
  ['events of no type that exists', { types: ['nothing', 'message'] }, ({ type }) => type === 'message'],
  ['events of a room', { roomId: uuid(1) }, ({ room }) => room === uuid(1)],
])(
  'pages with since that stop after the maximum number of examined rows return %s once and in order',
  async (_name, filter, matches) => {
    for (const from of [-6_000, 0, 29, 45, 69, 99, 200]) {
      const since = minute(from);
      const { ids } = await walk({ ...filter, since });
      expect([from, ids]).toEqual([from, matching((row) => matches(row) && row.occurredAt >= since)]);
    }
  },
);

test('a page without a match among the examined rows is empty, and returns how far it has read', async () => {
  const since = minute(40);
  const page = await findEngagementEvents(database.db, 1, {
    after: rows[39]!.id,
    since,
    limit: LIMIT + 1,
    maxExamined: MAX_LOOKED_AT,
  });
  // Rows 40 to 46.
  expect(page).toEqual({ rows: [], reached: rows[46]!.id });
  const { lengths } = await walk({ since });
  // It begins ten minutes before that time, at row 30. The sixth page examines rows 65 to 71.
  expect(lengths.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 2, 3]);
});

test('a page with since whose rows all match is full, even with a small limit of examined rows', async () => {
  const { lengths } = await walk({ since: minute(70) });
  expect(lengths).toEqual([0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
});
