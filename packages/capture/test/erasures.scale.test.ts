import { setTimeout as sleep } from 'node:timers/promises';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import { occurrences } from '@deal-signals/test-kit/occurrences';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { capture, captureWorkspace, FORWARD, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keepErasing } from '../src/erasures/keep-erasing.ts';

const EVENTS = 1_000_000;
const HERS = 10_000;
const EMAIL = 'zoe.quist@globex.example';
const NAME = 'Zoe Quist';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await captureWorkspace(db);
  await addEndpoint(db);
  await capture(
    db,
    { record: 'distribution', id: uuid(70), roomId: ROOM, recipientName: NAME, recipientEmail: EMAIL },
    {
      record: 'event',
      key: 'hers',
      type: 'comment',
      occurredAt: '2026-09-01',
      distributionId: uuid(70),
      metadata: { text: 'x' },
    },
    {
      record: 'event',
      key: 'not hers',
      type: 'comment',
      occurredAt: '2026-09-01',
      distributionId: LINK,
      metadata: { text: 'x' },
    },
  );
  const [hers, others] = await db.engagementEvent.findMany({ orderBy: { id: 'asc' } });
  // Like the two, but for the id: one of a hundred is hers.
  for (const [row, count, first] of [
    [hers!, HERS, 1],
    [others!, EVENTS - HERS, HERS + 1],
  ] as const) {
    const text = JSON.stringify(serializeEngagementEvent({ ...row, id: 0n }));
    await db.$executeRaw`
      INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, actor_name, actor_email, person_id, metadata,
        demo_id, demo_title, distribution_id, buyer_space_id, buyer_space_name, owner_id, owner_name, owner_email, object_text)
      SELECT e.company_id, n * 100, e.source, n::text, e.type, e.occurred_at, e.actor_name, e.actor_email, e.person_id, e.metadata,
        e.demo_id, e.demo_title, e.distribution_id, e.buyer_space_id, e.buyer_space_name, e.owner_id, e.owner_name, e.owner_email,
        replace(${text}, '"id":"0"', '"id":"' || n * 100 || '"')
      FROM engagement_events e, generate_series(${first}::bigint, ${first + count - 1}::bigint) AS n
      WHERE e.company_id = ${COMPANY} AND e.id = ${row.id}`;
  }
  await db.$queryRaw`SELECT rebuild_room_roll_ups(${COMPANY}, ARRAY[${ROOM}]::uuid[])`;
  await db.$executeRaw`ANALYZE`;
}, 900_000);

afterAll(() => database.drop());

/** How long captures of the workspace take, one after the other, until a signal is given: the 95th percentile in milliseconds. */
async function p95(prefix: string, signal: AbortSignal): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; !signal.aborted; n += 1) {
    const startedMs = performance.now();
    await capture(database.db, {
      record: 'event',
      key: `${prefix} ${n}`,
      type: 'room_visit',
      occurredAt: '2026-09-01',
      distributionId: FORWARD,
    });
    taken.push(performance.now() - startedMs);
    await sleep(10);
  }
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)]!;
}

test('a person with 10,000 events of a million is erased while others capture', async () => {
  const { db } = database;
  const before = await p95('before', AbortSignal.timeout(5_000));
  const [rolledUp] = await db.$queryRaw<object[]>`SELECT * FROM room_people WHERE email = ${EMAIL}`;

  const startedMs = performance.now();
  await capture(db, { record: 'erasePerson', email: EMAIL });
  const begunMs = performance.now() - startedMs;
  const done = new AbortController();
  const errors: unknown[] = [];
  const erasing = keepErasing({
    db,
    pollMs: 100,
    stragglersMs: 0,
    onDone: () => done.abort(),
    onSkipped: (row) => errors.push(row),
    onError: (error) => errors.push(error),
  });
  const during = await p95('during', done.signal);
  const seconds = (performance.now() - startedMs) / 1_000;
  await erasing.stop();

  console.log(
    `erased in ${seconds.toFixed(1)} s, of which captures waited for ${begunMs.toFixed(0)} ms at first; ` +
      `the p95 of captures: ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms meanwhile`,
  );
  expect(errors).toEqual([]);
  expect(await occurrences(db, 'quist')).toEqual([]);
  const [now] = await db.$queryRaw<object[]>`SELECT * FROM room_people WHERE email LIKE '%@erased.invalid'`;
  expect({ ...now, person: null, email: null, name: null }).toEqual({
    ...rolledUp,
    person: null,
    email: null,
    name: null,
  });
  expect(await db.engagementEvent.count({ where: { actorEmail: { endsWith: '@erased.invalid' } } })).toBe(
    HERS + 1,
  );
}, 300_000);
