import { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { TEST_LIMITS } from '@deal-signals/test-kit/databases/test-database';
import { CALL, capture, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { capturedDatabase } from './captured-database.ts';

// A capture session keeps one plan per statement. A plan made while the tables were small must not read the rows of the whole
// workspace when they are large.

const LARGE = 5_000;
/**
 * Maximum rows read per table. A capture reads some rows several times. Each capture creates a version of the room, and old
 * versions stay while a concurrent ANALYZE delays their removal. Every read of the room passes them: 33 versions × 11 reads
 * have been observed.
 */
const MAX_READ = 1_000;

const database = capturedDatabase();
let db: Database;

beforeEach(() => {
  // A single session, which keeps its plans.
  db = new Database({ url: database.url, poolSize: 1, applicationName: 'capture', ...TEST_LIMITS });
});
afterEach(() => db.close());

const records = (n: number): ShortRecord[] => [
  {
    record: 'event',
    key: `e${n}`,
    type: 'room_visit',
    occurredAt: '2026-09-02',
    distributionId: LINK,
  },
  {
    record: 'view',
    key: `v${n}`,
    distributionId: LINK,
    startedAt: '2026-09-02',
    endedAt: '2026-09-03',
    segments: [[0, n]],
  },
  { record: 'message', key: `m${n}`, roomId: ROOM, side: 'prospect', sentAt: '2026-09-02' },
];

/** Returns how many rows were read of each table. */
async function rowsRead(): Promise<Map<string, number>> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const rows = await db.$queryRaw<{ name: string; read: number }[]>`
    SELECT relname::text AS name, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS read
    FROM pg_stat_user_tables`;
  const entries = await db.$queryRaw<{ name: string; read: number }[]>`
    SELECT relname::text AS name, sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes GROUP BY relname`;
  const read = new Map(rows.map(({ name, read: count }) => [name, count]));
  for (const { name, read: count } of entries) read.set(name, (read.get(name) ?? 0) + count);
  return read;
}

/** Writes rows `first` to `last` of each table. */
async function addRows(first: number, last: number): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO rooms (company_id, id, name, created_at, last_activity_at, object_text)
    SELECT ${COMPANY}, gen_random_uuid(), 'Room', now(), now(), '{}' FROM generate_series(${first}::int, ${last}::int)`;
  await database.db.$executeRaw`
    INSERT INTO calls (company_id, id, kind, status, occurred_at, updated_at, owner_id, object_text)
    SELECT ${COMPANY}, gen_random_uuid(), 'demo', 'completed', now(), now(), 7, '{}'
    FROM generate_series(${first}::int, ${last}::int)`;
  await database.db.$executeRaw`
    INSERT INTO distributions (company_id, id, room_id, call_id, identity, recipient_email, updated_at)
    SELECT ${COMPANY}, gen_random_uuid(), ${ROOM}::uuid, ${CALL}::uuid, 'email:' || n || '@globex.example',
           n || '@globex.example', now()
    FROM generate_series(${first}::int, ${last}::int) n`;
  await database.db.$executeRaw`
    INSERT INTO messages (company_id, key, room_id, side, sent_at)
    SELECT ${COMPANY}, 'many ' || n, ${ROOM}::uuid, 'seller', now() FROM generate_series(${first}::int, ${last}::int) n`;
  await database.db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, identity, buyer_space_id, distribution_id,
      object_text)
    SELECT ${COMPANY}, n, 'event', 'many ' || n, 'comment', now(), ${`link:${LINK}`}, ${ROOM}::uuid, ${LINK}::uuid,
           ${Prisma.raw(sqlText('event', 'n'))}
    FROM generate_series(${first}::int, ${last}::int) n`;
  await database.db.$executeRaw`
    INSERT INTO engagement_views (company_id, id, key, kind, started_at, ended_at, identity, distribution_id, buyer_space_id, demo_id,
      watch_seconds, object_text)
    SELECT ${COMPANY}, n, 'many ' || n, 'trailer', now(), now(), ${`link:${LINK}`}, ${LINK}::uuid, ${ROOM}::uuid, ${CALL}::uuid, 0,
           ${Prisma.raw(sqlText('view', 'n'))}
    FROM generate_series(${first}::int, ${last}::int) n`;
}

test('a capture with plans from a small workspace reads as few rows in a large one', async () => {
  // The tables have no statistics yet, so the planner assumes that every workspace is small.
  for (let n = 1; n <= 10; n += 1) for (const record of records(n)) await capture(db, record);

  await addRows(1, LARGE);
  await database.db.$executeRaw`SELECT rebuild_room_roll_ups(${COMPANY}, ${[ROOM]}::uuid[])`;
  const before = await rowsRead();
  for (const record of records(11)) await capture(db, record);
  const after = await rowsRead();
  const read = Object.fromEntries(
    [...after]
      .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
      .filter(([name, count]) => count > MAX_READ && !name.startsWith('_')),
  );
  expect(read).toEqual({});
});
