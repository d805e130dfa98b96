import { setTimeout as sleep } from 'node:timers/promises';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import { occurrences } from '@deal-signals/test-kit/occurrences';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  capture,
  captureWorkspace,
  FORWARD,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keepErasing } from '../../src/erasures/keep-erasing.ts';
import { MAX_PEOPLE } from '../../src/erasures/people.ts';

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
  // Rows like these two with ids of their own. One of a hundred is hers.
  for (const [row, count, first] of [
    [hers!, HERS, 1],
    [others!, EVENTS - HERS, HERS + 1],
  ] as const) {
    const text = JSON.stringify(serializeEngagementEvent({ ...row, id: 0n }));
    await db.$executeRaw`
      INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, identity, actor_name, actor_email, person_id,
        metadata, demo_id, demo_title, distribution_id, buyer_space_id, buyer_space_name, owner_id, owner_name, owner_email, object_text)
      SELECT e.company_id, n * 100, e.source, n::text, e.type, e.occurred_at, e.identity, e.actor_name, e.actor_email, e.person_id,
        e.metadata, e.demo_id, e.demo_title, e.distribution_id, e.buyer_space_id, e.buyer_space_name, e.owner_id, e.owner_name, e.owner_email,
        replace(${text}, '"id":"0"', '"id":"' || n * 100 || '"')
      FROM engagement_events e, generate_series(${first}::bigint, ${first + count - 1}::bigint) AS n
      WHERE e.company_id = ${COMPANY} AND e.id = ${row.id}`;
  }
  await db.$queryRaw`SELECT rebuild_room_roll_ups(${COMPANY}, ARRAY[${ROOM}]::uuid[])`;
  await db.$executeRaw`ANALYZE`;
}, 900_000);

afterAll(() => database.drop());

/**
 * Captures in the workspace, one after another, until the signal is aborted. Returns the durations in milliseconds, in
 * ascending order.
 */
async function latencies(prefix: string, signal: AbortSignal): Promise<number[]> {
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
  return taken.toSorted((a, b) => a - b);
}

const quantile = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)]!;
const p95 = async (prefix: string, signal: AbortSignal) => quantile(await latencies(prefix, signal), 0.95);

test('a person with 10,000 events of a million is erased while others capture', async () => {
  const { db } = database;
  const before = await p95('before', AbortSignal.timeout(5_000));
  const [rolledUp] = await db.$queryRaw<
    object[]
  >`SELECT * FROM room_people WHERE identity = ${`email:${EMAIL}`}`;

  const startedMs = performance.now();
  await capture(db, { record: 'erasePerson', email: EMAIL });
  const begunMs = performance.now() - startedMs;
  const done = new AbortController();
  const errors: unknown[] = [];
  const erasing = keepErasing({
    db,
    pollMs: 100,
    onDone: () => done.abort(),
    onSkipped: (row) => errors.push(row),
    onError: (error) => errors.push(error),
  });
  const during = await p95('during', done.signal);
  const seconds = (performance.now() - startedMs) / 1_000;
  await erasing.stop();

  console.log(
    `erased in ${seconds.toFixed(1)} s; captures waited for the first ${begunMs.toFixed(0)} ms;  ` +
      `the p95 of captures: ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during the erasure`,
  );
  expect(errors).toEqual([]);
  expect(await occurrences(db, 'quist')).toEqual([]);
  const [now] = await db.$queryRaw<object[]>`SELECT * FROM room_people WHERE identity LIKE 'erased:%'`;
  expect({ ...now, identity: null, name: null }).toEqual({ ...rolledUp, identity: null, name: null });
  const isErased = { actorEmail: null, identity: { startsWith: 'erased:' } };
  expect(await db.engagementEvent.count({ where: isErased })).toBe(HERS + 1);
}, 300_000);

describe('a room with 50,000 people', () => {
  const PEOPLE = 50_000;
  /** The people who watched, read and opened something. */
  const ACTIVE = 20;
  const BIG_ROOM = uuid(80);
  const RECORDING = uuid(81);
  const OFFER = uuid(82);

  async function captureBigRoom(): Promise<void> {
    const { db } = database;
    await capture(
      db,
      { record: 'room', id: BIG_ROOM, name: 'Initech', ownerId: 7 },
      {
        record: 'call',
        id: RECORDING,
        kind: 'demo',
        occurredAt: '2026-09-01',
        ownerId: 7,
        title: 'Demo',
        durationSeconds: 600,
        roomId: BIG_ROOM,
      },
      { record: 'document', id: OFFER, roomId: BIG_ROOM, title: 'Offer', category: 'pricing' },
    );
    for (let first = 0; first < PEOPLE; first += 1_000) {
      const people = Array.from({ length: 1_000 }, (_, n) => first + n);
      await capture(
        db,
        ...people.map((n) => ({
          record: 'distribution' as const,
          id: uuid(100_000 + n),
          roomId: BIG_ROOM,
          callId: RECORDING,
          recipientName: `Quentin Vandermeer ${n}`,
          recipientEmail: `vandermeer.${n}@initech.example`,
        })),
      );
      const active = people.filter((n) => n % ACTIVE === 0);
      const at = { startedAt: '2026-09-02T10:00:00Z', endedAt: '2026-09-02T10:05:00Z' };
      await capture(
        db,
        ...active.flatMap((n): ShortRecord[] => {
          const distributionId = uuid(100_000 + n);
          return [
            { record: 'view', key: `watched ${n}`, distributionId, ...at, segments: [[0, 100]] },
            { record: 'view', key: `read ${n}`, distributionId, ...at, docId: OFFER, seconds: 30 },
            {
              record: 'event',
              key: `opened ${n}`,
              type: 'doc_open',
              occurredAt: at.endedAt,
              distributionId,
              docId: OFFER,
            },
          ];
        }),
      );
    }
  }

  /** Returns the totals of the people of the room, which an erasure must not change. */
  function counts(): Promise<unknown> {
    return database.db.$queryRaw`
      SELECT (SELECT jsonb_build_array(count(*), sum(links), sum(docs_opened), sum(watch_ms)) FROM room_people p
              WHERE room_id = ${BIG_ROOM}::uuid) AS people,
             (SELECT jsonb_build_array(count(DISTINCT identity), sum(views)) FROM room_watches WHERE room_id = ${BIG_ROOM}::uuid) AS watches,
             (SELECT jsonb_build_array(count(DISTINCT identity), sum(seconds)) FROM room_readings WHERE room_id = ${BIG_ROOM}::uuid) AS readings,
             (SELECT count(DISTINCT identity) FROM room_document_openers WHERE room_id = ${BIG_ROOM}::uuid) AS openers`;
  }

  test('is erased in short transactions, while others capture', async () => {
    const { db } = database;
    await captureBigRoom();
    const before = await counts();
    const alone = await latencies('alone', AbortSignal.timeout(5_000));

    const startedMs = performance.now();
    await capture(db, { record: 'eraseRoom', roomId: BIG_ROOM });
    const begunMs = performance.now() - startedMs;
    const [begun] = await db.erasureRun.findMany();
    expect([begun!.stage, begun!.people]).toEqual(['people', MAX_PEOPLE]);

    // Captures continue, in this room as well.
    const done = new AbortController();
    const errors: unknown[] = [];
    const erasing = keepErasing({
      db,
      pollMs: 100,
      onDone: () => done.abort(),
      onSkipped: (row) => errors.push(row),
      onError: (error) => errors.push(error),
    });
    const during = await latencies('big', done.signal);
    const seconds = (performance.now() - startedMs) / 1_000;
    await erasing.stop();

    const longest = during.at(-1)!;
    console.log(
      `erased 50,000 people in ${seconds.toFixed(1)} s; the request took ${begunMs.toFixed(0)} ms; captures: ` +
        `p95 ${quantile(alone, 0.95).toFixed(1)} ms alone, ${quantile(during, 0.95).toFixed(1)} ms and at most ` +
        `${longest.toFixed(0)} ms during the erasure (${during.length} captures)`,
    );
    expect(errors).toEqual([]);
    // A management write waits up to two seconds for the feed clock. In one transaction, erasing the people took more than
    // ten.
    expect([begunMs < 2_000, longest < 2_000]).toEqual([true, true]);
    expect(await counts()).toEqual(before);
    expect(await occurrences(db, 'vandermeer')).toEqual([]);
    expect((await db.erasure.findMany({ orderBy: { erasedAt: 'desc' } }))[0]).toMatchObject({
      id: begun!.id,
      people: PEOPLE,
    });
  }, 900_000);
});
