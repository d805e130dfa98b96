import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { occurrences } from '@deal-signals/test-kit/occurrences';
import { findHeatmap, serializeHeatmap } from '@deal-signals/serializers/engagement/heatmap';
import { findPeople, type Person, serializePerson } from '@deal-signals/serializers/rooms/person';
import { buildRoomMetrics } from '@deal-signals/serializers/room-metrics/build';
import { serializeRoomScore } from '@deal-signals/serializers/room-metrics/room-score';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import { findEngagementScores, findRoomCounts } from '@deal-signals/serializers/room-metrics/scores';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import { expect, test } from '@jest/globals';
import { comparable } from './comparable-metrics.ts';
import { plainHeatmap } from './plain-heatmap.ts';
import { plainRoomMetrics } from './plain-room-metrics.ts';
import { firstRecords, LINKS, randomChanges, ROOMS } from './random-changes.ts';

const BATCHES = 12;

const database = emptiedDatabase((db) =>
  capture(
    db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
    ...firstRecords(),
  ),
);

/** Compares all roll-ups with a plain computation over the rows. */
async function expectAgreement(): Promise<void> {
  const { db } = database;
  const now = new Date();
  const counts = await findRoomCounts(db, COMPANY, ROOMS, now);
  const scores = await findEngagementScores(db, COMPANY, ROOMS, now);
  for (const roomId of ROOMS) {
    const rows = await findRoomMetrics(db, COMPANY, roomId, now);
    if (rows === null) throw new Error('no such room');
    const { metrics, plain } = comparable(
      await buildRoomMetrics(rows, now),
      await plainRoomMetrics(db, COMPANY, roomId, now),
    );
    expect(metrics).toEqual(plain);
    const { engagementScore, totals } = await buildRoomMetrics(rows, now);
    const score = serializeRoomScore(
      { id: roomId, lastActivityAt: new Date(rows.room.lastActivityAt) },
      counts.get(roomId)!,
      now,
    );
    expect(score).toMatchObject({ engagementScore, totals });
    expect(scores.get(roomId)).toBe(engagementScore);
    await expectPeople(roomId, now);
  }
  for (const link of LINKS) {
    const row = await findHeatmap(db, COMPANY, link);
    if (row === null) throw new Error('no such link');
    expect(serializeHeatmap(row)).toMatchObject(await plainHeatmap(db, COMPANY, link));
  }
}

/** Compares the people of a room in their feed with its stakeholders. */
async function expectPeople(roomId: string, now: Date): Promise<void> {
  const rows = await findRoomMetrics(database.db, COMPANY, roomId, now);
  const { stakeholders } = await buildRoomMetrics(rows!, now);
  const people = await findPeople(database.db, COMPANY, { roomId, limit: 500 });
  const shown = people.filter(({ removedAt }) => removedAt === null).map(serializePerson);
  const ofMetrics = stakeholders.map(({ personId, ...rest }) => keyOf({ id: personId, ...rest }));
  expect(shown.map(keyOf).toSorted()).toEqual(ofMetrics.toSorted());
}

/**
 * Compares the actors of events with the people of the rooms: the id leads to the person that the link was addressed to at that
 * time.
 */
async function expectActors(): Promise<void> {
  const people = await database.db.person.findMany();
  const identityOf = new Map(people.map(({ id, roomId, identity }) => [id, `${roomId} ${identity}`]));
  const recorded = [
    ...(await database.db.engagementEvent.findMany()),
    ...(await database.db.engagementView.findMany()),
  ];
  for (const { personId, buyerSpaceId, distributionId, identity, actorName, actorEmail } of recorded) {
    const linkIdentity = distributionId === null ? null : `link:${distributionId}`;
    const captured = actorEmail === null ? linkIdentity : `email:${actorEmail.toLowerCase()}`;
    if (identity?.startsWith('erased:')) expect([actorName, actorEmail]).toEqual([null, null]);
    else expect(identity).toBe(captured);
    const person = identity === null ? undefined : `${buyerSpaceId} ${identity}`;
    expect(identityOf.get(personId ?? '')).toBe(person);
  }
}

/** Returns the fields of a person that both the feed and the metrics contain. */
function keyOf({
  id,
  email,
  name,
  role,
  title,
  inCommittee,
}: Pick<Person, 'id' | 'email' | 'name' | 'role' | 'title' | 'inCommittee'>): string {
  return JSON.stringify([id, email, name, role, title, inCommittee]);
}

/** Returns the rows of all roll-ups, except those without any visible value, which may be missing. */
function rollUps(): Promise<unknown> {
  return database.db.$queryRaw`
    SELECT (SELECT jsonb_agg(t ORDER BY room_id) FROM room_totals t) AS totals,
           (SELECT jsonb_agg(t ORDER BY room_id, identity) FROM room_people t) AS people,
           (SELECT jsonb_agg(t ORDER BY room_id, demo_id, distribution_id, identity) FROM room_watches t
            WHERE addressed OR views > 0) AS watches,
           (SELECT jsonb_agg(t ORDER BY room_id, doc_id, distribution_id, identity) FROM room_readings t) AS readings,
           (SELECT jsonb_agg(t ORDER BY room_id, doc_id) FROM room_document_opens t) AS opens,
           (SELECT jsonb_agg(t ORDER BY room_id, doc_id, identity) FROM room_document_openers t) AS openers,
           (SELECT jsonb_agg(t ORDER BY distribution_id, demo_id) FROM link_heatmaps t) AS heatmaps`;
}

test.each([1, 2, 3, 4])(
  'after every batch of random changes the roll-ups agree with a plain computation: seed %d',
  async (seed) => {
    const random = randomNumbers(seed * 7_919);
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await capture(database.db, ...randomChanges(random));
      await expectAgreement();
      await expectActors();
    }
    // The command that an operator runs after rows were written by hand.
    const kept = await rollUps();
    const people = await database.db.person.findMany({ orderBy: { id: 'asc' } });
    await database.db.$queryRaw`
      SELECT rebuild_room_roll_ups(company_id, array_agg(id)) FROM rooms GROUP BY company_id`;
    expect(await rollUps()).toEqual(kept);
    expect(await database.db.person.findMany({ orderBy: { id: 'asc' } })).toEqual(people);
  },
  120_000,
);

/** The other people that the changes address, besides the first recipients of the links. */
const RECIPIENT_ADDRESSES = ['bob@globex.example', 'eve@globex.example', 'carl@globex.example'];

test.each([1, 3, 5])(
  'an erased person keeps their numbers and is found nowhere: seed %d',
  async (seed) => {
    const { db } = database;
    const random = randomNumbers(seed * 104_729);
    const numbers = async () => {
      const now = new Date();
      const all = await Promise.all(ROOMS.map((roomId) => findRoomMetrics(db, COMPANY, roomId, now)));
      const metrics = await Promise.all(all.map((rows) => buildRoomMetrics(rows!, now)));
      return metrics.map((one) => numbersIn(one)).map((values) => values.toSorted((a, b) => a - b));
    };
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await capture(db, ...randomChanges(random));
      const before = await numbers();
      const people = await db.person.findMany({ orderBy: { id: 'asc' } });
      const email = RECIPIENT_ADDRESSES[random(RECIPIENT_ADDRESSES.length)]!;
      const one = people[random(people.length)]!;
      await capture(
        db,
        ...(random(3) === 0
          ? [{ record: 'erasePerson' as const, personId: one.id }]
          : [{ record: 'erasePerson' as const, email }]),
      );
      if (random(2) === 0) await capture(db, ...randomChanges(random));
      else {
        await finishErasures(db);
        expect(await numbers()).toEqual(before);
      }
      await finishErasures(db);
      await expectAgreement();
      await expectActors();
    }
    for (const address of [...RECIPIENT_ADDRESSES, ...LINKS.map((_link, n) => `first-${n}@globex.example`)]) {
      await capture(db, { record: 'erasePerson', email: address });
    }
    await finishErasures(db);
    await expectAgreement();
    await expectActors();
    expect(await occurrences(db, 'globex.example')).toEqual([]);
    const kept = await rollUps();
    await rollUp(db);
    expect(await rollUps()).toEqual(kept);
  },
  120_000,
);

/** Returns every number in an object, at any depth. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

test.each([
  ['an event is deleted', `DELETE FROM engagement_events WHERE id % 3 = 0`],
  [
    'an event is corrected',
    `UPDATE engagement_events SET type = 'comment', actor_email = NULL, identity = 'link:' || distribution_id WHERE id % 3 = 0`,
  ],
  [
    'an event moves to another room',
    `UPDATE engagement_events SET buyer_space_id = '${ROOMS[1]}', doc_id = NULL WHERE buyer_space_id = '${ROOMS[0]}'`,
  ],
  ['a view is deleted', `DELETE FROM engagement_views WHERE id % 3 = 0`],
  [
    'a view loses a part',
    `UPDATE engagement_views SET segments = '[[5, 9]]', watch_seconds = 4 WHERE kind = 'trailer'`,
  ],
  ['a message is deleted', `DELETE FROM messages WHERE side = 'seller'`],
])('the roll-ups are correct again when %s by hand and they are rebuilt', async (_name, statement) => {
  const random = randomNumbers(4_711);
  for (let batch = 0; batch < 4; batch += 1) await capture(database.db, ...randomChanges(random));
  expect(await database.db.$executeRawUnsafe(statement)).toBeGreaterThan(0);
  await rollUp(database.db);
  await expectAgreement();
});

test('deleting an unused link by hand also removes its recipient and its recording', async () => {
  const [link] = LINKS;
  await database.db.$executeRaw`DELETE FROM distributions WHERE id = ${link}::uuid`;
  await rollUp(database.db);
  const rows = await findRoomMetrics(database.db, COMPANY, ROOMS[0] as string, new Date());
  if (rows === null) throw new Error('no such room');
  const { stakeholders, trailers } = await buildRoomMetrics(rows, new Date());
  expect(stakeholders.map(({ email }) => email)).toEqual([
    'first-2@globex.example',
    'first-4@globex.example',
  ]);
  expect(trailers.map(({ recipients }) => recipients)).toEqual([1, 1]);
});
