import { createHash } from 'node:crypto';
import { Database } from '@deal-signals/db/database';
import { type Erasure, findErasures, MOST_IDS } from '@deal-signals/serializers/erasures/erasure';
import { buildRoomMetrics } from '@deal-signals/serializers/room-metrics/build';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import { occurrences } from '@deal-signals/test-kit/occurrences';
import { TEST_LIMITS } from '@deal-signals/test-kit/test-database';
import { until } from '@deal-signals/test-kit/until';
import {
  CALL,
  capture,
  DOCUMENT,
  FORWARD,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { captureBatch } from '../src/capture-batch.ts';
import { MAX_OPEN_ERASURES } from '../src/erasures/begin.ts';
import { MAX_PEOPLE } from '../src/erasures/people.ts';
import { openStore } from '../src/store.ts';
import { writeBatch } from '../src/write-batch.ts';
import { advanceErasure } from '../src/erasures/advance.ts';
import { finishErasures, keepErasing } from '../src/erasures/keep-erasing.ts';
import { columnOf, ERASED_TABLES } from '../src/erasures/places.ts';
import { keptErasures, repeatErasure } from '../src/erasures/repeat-erasures.ts';
import { searchFor } from '../src/erasures/needles.ts';
import { giveBackErasure, msUntilNextStep, takeErasure } from '../src/erasures/turns.ts';
import { captureRecord } from '../src/record.ts';
import { capturedDatabase } from './captured-database.ts';
import { snapshot } from './records.ts';

const database = capturedDatabase();

const EMAIL = 'Zoe.Quist@Globex.example';
const NAME = 'Zoë Quist';
const OTHER_ROOM = uuid(60);
const OTHER_LINK = uuid(61);
const UNKNOWN_LINK = uuid(62);
/** What nothing may contain once she is erased: every form of her names and her address contains it. */
const TRACES = ['quist', 'zoe', 'zoë'];

/** She is in two rooms, once as a member; her link was somebody else's before; others write about her. */
const HERS: ShortRecord[] = [
  {
    record: 'room',
    id: OTHER_ROOM,
    name: 'Initech (Zoe Quist)',
    primaryContactEmail: EMAIL,
    slug: 'initech-zoe-quist',
  },
  { record: 'member', roomId: ROOM, email: EMAIL, name: NAME, role: 'Champion', title: 'CFO' },
  { record: 'distribution', id: LINK, recipientName: 'Zoe B. Quist', recipientEmail: EMAIL },
  {
    record: 'distribution',
    id: OTHER_LINK,
    roomId: OTHER_ROOM,
    recipientName: NAME,
    recipientEmail: EMAIL.toLowerCase(),
  },
  {
    record: 'event',
    key: 'zoe.quist@globex.example/1',
    type: 'comment',
    occurredAt: '2026-09-02',
    distributionId: LINK,
    metadata: { text: `Call me: ${EMAIL}`, seconds: 7 },
  },
  { record: 'distribution', id: LINK, recipientName: NAME, recipientEmail: EMAIL },
  {
    record: 'event',
    key: 'e2',
    type: 'doc_open',
    occurredAt: '2026-09-03',
    distributionId: LINK,
    docId: DOCUMENT,
  },
  { record: 'event', key: 'e3', type: 'room_visit', occurredAt: '2026-09-03', distributionId: OTHER_LINK },
  {
    record: 'event',
    key: 'e4',
    type: 'forward',
    occurredAt: '2026-09-03',
    distributionId: FORWARD,
    metadata: {
      to: [{ name: NAME, email: EMAIL }],
      url: 'https://x.example/?to=zoe.quist%40globex.example',
      n: 1,
    },
  },
  {
    record: 'view',
    key: 'v1',
    distributionId: LINK,
    startedAt: '2026-09-02T10:00:00Z',
    endedAt: '2026-09-02T10:05:00Z',
    segments: [
      [0, 100],
      [50, 200],
    ],
  },
  {
    record: 'view',
    key: 'v2',
    distributionId: LINK,
    docId: DOCUMENT,
    startedAt: '2026-09-04',
    endedAt: '2026-09-04',
    seconds: 30,
  },
  {
    record: 'call',
    id: CALL,
    title: `Demo for ${NAME}`,
    prospectName: 'Quist, Zoë',
    participants: [
      { name: 'Zoe', email: EMAIL, talkSeconds: 60 },
      { name: 'Ann', email: 'ann@acme.example', isInternal: true },
    ],
  },
  {
    record: 'callSummary',
    callId: CALL,
    summary: { headline: 'zoë quist agrees', keyTakeaways: [`Write to ${EMAIL}.`] },
  },
  { record: 'document', id: DOCUMENT, roomId: ROOM, title: 'Offer_Zoë-Quist.pdf', category: 'for Zoe Quist' },
  // Her name of before is known from what she did alone.
  {
    record: 'message',
    key: 'm3',
    roomId: ROOM,
    side: 'seller',
    sentAt: '2026-09-03',
    text: 'As Zoe B. Quist said',
  },
  { record: 'actionItem', id: uuid(63), roomId: ROOM, title: `Ask ${NAME}` },
  {
    record: 'message',
    key: 'm1',
    roomId: ROOM,
    side: 'prospect',
    sentAt: '2026-09-03',
    distributionId: LINK,
    text: `Best, ${NAME}`,
  },
  { record: 'message', key: 'm2', roomId: ROOM, side: 'seller', sentAt: '2026-09-03', text: `Hello ${NAME}` },
  {
    record: 'esign',
    id: 'c1',
    roomId: ROOM,
    vendor: 'v',
    envelopeId: 'x',
    status: 'sent',
    subject: `For ${NAME}`,
  },
];

async function captureHers(): Promise<void> {
  const { db } = database;
  const endpointId = await addEndpoint(db);
  for (const record of HERS) await capture(db, record);
  await captureBatch(
    db,
    COMPANY,
    [
      {
        line: 1,
        record: captureRecord.parse({
          record: 'event',
          companyId: COMPANY,
          key: 'held',
          type: 'comment',
          occurredAt: '2026-09-03',
          distributionId: UNKNOWN_LINK,
          metadata: { text: `${NAME} said` },
        }),
      },
    ],
    { hold: true },
  );
  const [delivery] = await db.webhookDelivery.findMany({ orderBy: { id: 'desc' } });
  await db.webhookAttempt.create({
    data: {
      companyId: COMPANY,
      deliveryId: delivery!.id,
      number: 1,
      startedAt: new Date(),
      responseExcerpt: `thanks, ${EMAIL}`,
    },
  });
  await db.$executeRaw`
    INSERT INTO audit_records (company_id, id, at, action, object_type, object_id, details)
    VALUES (${COMPANY}, ${1n}, now(), 'webhook.updated', 'webhook', ${String(endpointId)},
      ${JSON.stringify({ description: `asked by ${EMAIL}` })}::jsonb)`;
}

/** What counts and measures, without who it was. */
async function numbers(): Promise<unknown> {
  const now = new Date('2026-10-01');
  const metrics = [];
  for (const id of [ROOM, OTHER_ROOM]) {
    const rows = await findRoomMetrics(database.db, COMPANY, id, now);
    metrics.push(await buildRoomMetrics(rows!, now));
  }
  return JSON.parse(JSON.stringify(metrics), (name, value: unknown) =>
    typeof value === 'string' || ['name', 'email', 'role', 'title', 'lastActivityAt'].includes(name)
      ? null
      : value,
  );
}

/** The rows of the roll-ups. */
function rollUps(): Promise<unknown> {
  return database.db.$queryRaw`
    SELECT (SELECT jsonb_agg(t ORDER BY room_id, person) FROM room_people t) AS people,
           (SELECT jsonb_agg(t ORDER BY room_id, demo_id, distribution_id, person) FROM room_watches t
            WHERE addressed OR views > 0) AS watches,
           (SELECT jsonb_agg(t ORDER BY room_id, doc_id, distribution_id, person) FROM room_readings t) AS readings,
           (SELECT jsonb_agg(t ORDER BY room_id, doc_id, person) FROM room_document_openers t) AS openers,
           (SELECT jsonb_agg(t ORDER BY id) FROM people t) AS shown`;
}

async function tracesLeft(): Promise<string[]> {
  const found = [];
  for (const trace of TRACES) found.push(...(await occurrences(database.db, trace)));
  return found;
}

describe('a person who is erased', () => {
  test('stands nowhere any more, and every number stays', async () => {
    await captureHers();
    const before = await numbers();
    expect(await tracesLeft()).not.toEqual([]);

    await capture(database.db, { record: 'erasePerson', email: EMAIL.toUpperCase() });
    await finishErasures(database.db);

    expect(await tracesLeft()).toEqual([]);
    expect(await numbers()).toEqual(before);
  });

  test('is what the roll-ups are computed from, as well', async () => {
    await captureHers();
    await capture(database.db, { record: 'erasePerson', email: EMAIL });
    await finishErasures(database.db);
    const kept = await rollUps();
    await database.db
      .$queryRaw`SELECT rebuild_room_roll_ups(${COMPANY}, ARRAY[${ROOM}, ${OTHER_ROOM}]::uuid[])`;
    expect(await rollUps()).toEqual(kept);
  });

  test('is told to consumers when everything is done, and moves what comes again', async () => {
    await captureHers();
    const hers = await database.db.person.findMany({ where: { email: EMAIL.toLowerCase() } });
    const before = await snapshot(database.db);
    await capture(database.db, { record: 'erasePerson', personId: hers[0]!.id });
    expect(await findErasures(database.db, COMPANY, { limit: 10 })).toEqual([]);
    await finishErasures(database.db);

    const [entry] = await findErasures(database.db, COMPANY, { limit: 10 });
    const erasure = JSON.parse(entry!.text) as Record<string, unknown>;
    const events = await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } });
    const idOf = (key: string) => String(before.events.find((event) => event.key === key)!.id);
    expect(erasure).toEqual({
      id: entry!.id,
      erasureId: entry!.id,
      kind: 'person',
      buyerSpaceId: null,
      emailSha256: createHash('sha256').update(EMAIL.toLowerCase()).digest('hex'),
      personIds: hers.map(({ id }) => id).toSorted(),
      distributionIds: [LINK, OTHER_LINK].toSorted(),
      engagementEventIds: expect.arrayContaining([idOf('e4')]),
      engagementViewIds: expect.any(Array),
      engagementBefore: null,
      erasedAt: entry!.erasedAt.toISOString(),
    });
    expect(erasure['engagementEventIds']).toContain(idOf('zoe.quist@globex.example/1'));
    expect(await database.db.erasureRun.findMany()).toEqual([]);
    const told = await database.db.webhookEvent.findMany({ where: { type: 'person.erased' } });
    expect(told.map(({ body }) => JSON.parse(body).data)).toEqual([erasure]);

    const after = await snapshot(database.db);
    const moved = (table: 'people' | 'distributions' | 'documents' | 'esigns' | 'calls') =>
      after[table].filter(
        ({ id, updatedAt }) => updatedAt > before[table].find((row) => row.id === id)!.updatedAt,
      );
    expect(moved('people')).toHaveLength(2);
    const lastOf = (rooms: typeof after.rooms) =>
      new Map(rooms.map(({ id, lastActivityAt }) => [id, lastActivityAt]));
    for (const id of [ROOM, OTHER_ROOM]) {
      expect(lastOf(after.rooms).get(id)!.getTime()).toBeGreaterThan(lastOf(before.rooms).get(id)!.getTime());
    }
    expect(
      moved('distributions')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([LINK, OTHER_LINK].toSorted());
    expect([moved('documents'), moved('esigns'), moved('calls')].map(({ length }) => length)).toEqual([
      1, 1, 1,
    ]);
    // Nothing leaves a feed of ids, and the person is the same to whoever has copies.
    expect(events.map(({ id, personId }) => [id, personId])).toEqual(
      before.events.map(({ id, personId }) => [id, personId]),
    );
  });

  test('is pushed as pulled', async () => {
    await captureHers();
    await capture(database.db, { record: 'erasePerson', email: EMAIL });
    await finishErasures(database.db);
    const { events, views } = await snapshot(database.db);
    const pulled = [...events, ...views].map(({ objectText }) => objectText);
    const pushed = await database.db.webhookEvent.findMany({
      where: { type: { startsWith: 'engagement.' } },
    });
    expect(pushed.map(({ body }) => JSON.stringify(JSON.parse(body).data)).toSorted()).toEqual(
      pulled.toSorted(),
    );
    expect(JSON.parse(events[0]!.objectText)).toMatchObject({
      actor: { name: null, email: null },
      metadata: { text: 'Call me: [erased]', seconds: 7 },
    });
    const [call] = await database.db.call.findMany();
    expect(JSON.parse(call!.objectText.replaceAll('\n', 'null'))).toMatchObject({
      title: 'Demo for [erased]',
      prospectName: null,
      summary: { headline: '[erased] agrees', keyTakeaways: ['Write to [erased].'] },
      participants: [
        { name: null, email: null, talkSeconds: 60 },
        { name: 'Ann', email: 'ann@acme.example' },
      ],
    });
  });

  test('is somebody else when captured again', async () => {
    await captureHers();
    const [erased] = await database.db.person.findMany({
      where: { roomId: ROOM, email: EMAIL.toLowerCase() },
    });
    // The erasure is under way when they come back.
    await capture(
      database.db,
      // What came before it in the same transaction is hers.
      { record: 'event', key: 'before', type: 'comment', occurredAt: '2026-09-05', distributionId: LINK },
      { record: 'erasePerson', email: EMAIL },
      { record: 'distribution', id: uuid(64), roomId: ROOM, recipientName: NAME, recipientEmail: EMAIL },
      {
        record: 'event',
        key: 'again',
        type: 'room_visit',
        occurredAt: '2026-09-05',
        distributionId: uuid(64),
      },
    );
    await finishErasures(database.db);
    const people = await database.db.person.findMany({ where: { roomId: ROOM } });
    const again = people.find(({ email }) => email === EMAIL.toLowerCase());
    expect(again).toMatchObject({ name: NAME, identity: `email:${EMAIL.toLowerCase()}` });
    expect(again!.id).not.toBe(erased!.id);
    expect(people.find(({ id }) => id === erased!.id)).toMatchObject({ email: null, name: null, role: null });
    const [hers] = await database.db.engagementEvent.findMany({ where: { key: 'before' } });
    expect(hers).toMatchObject({ personId: erased!.id, actorName: null });
    const [counted] = await database.db.roomPerson.findMany({ where: { person: EMAIL.toLowerCase() } });
    expect(counted).toMatchObject({ comments: 0, roomVisits: 1 });
    const [event] = await database.db.engagementEvent.findMany({ where: { key: 'again' } });
    expect(event).toMatchObject({ personId: again!.id, actorEmail: EMAIL, actorName: NAME });

    // What her old link brings is of nobody, and belongs to whom she was.
    await capture(database.db, {
      record: 'event',
      key: 'old',
      type: 'room_visit',
      occurredAt: '2026-09-05',
      distributionId: LINK,
    });
    const [old] = await database.db.engagementEvent.findMany({ where: { key: 'old' } });
    expect(JSON.parse(old!.objectText)).toMatchObject({
      actor: { name: null, email: null },
      personId: erased!.id,
    });

    await capture(database.db, { record: 'erasePerson', email: EMAIL });
    await finishErasures(database.db);
    expect(await tracesLeft()).toEqual([]);
  });

  test('who has no address is erased by id', async () => {
    const { db } = database;
    await capture(
      db,
      { record: 'distribution', id: LINK, recipientName: NAME, recipientEmail: null },
      { record: 'member', roomId: ROOM, name: 'Zoe Quist' },
      {
        record: 'event',
        key: 'a',
        type: 'comment',
        occurredAt: '2026-09-02',
        distributionId: LINK,
        metadata: { by: NAME },
      },
    );
    await addEndpoint(db);
    await capture(db, {
      record: 'event',
      key: 'b',
      type: 'comment',
      occurredAt: '2026-09-02',
      distributionId: LINK,
    });
    const before = await db.person.count();
    for (const { id } of await db.person.findMany({ where: { name: { contains: 'Quist' } } })) {
      await capture(db, { record: 'erasePerson', personId: id });
    }
    await finishErasures(db);
    expect(await tracesLeft()).toEqual([]);
    expect(await db.person.count()).toBe(before);
  });

  test('leaves others alone: namesakes, and addresses that contain hers', async () => {
    const { db } = database;
    await capture(
      db,
      { record: 'distribution', id: LINK, recipientName: 'Zoë Berg', recipientEmail: EMAIL },
      { record: 'distribution', id: FORWARD, recipientName: 'Zoë Berg', recipientEmail: `a${EMAIL}` },
      {
        record: 'event',
        key: 'a',
        type: 'comment',
        occurredAt: '2026-09-02',
        distributionId: FORWARD,
        metadata: { cc: `a${EMAIL}, ${EMAIL}.au, ${EMAIL}` },
      },
    );
    await capture(db, {
      record: 'call',
      id: CALL,
      participants: [{ name: 'Zoë Berg', email: 'z@x.example' }, { name: 'Zoë Berg' }],
    });
    await capture(db, { record: 'erasePerson', email: EMAIL });
    await finishErasures(db);
    const [call] = await db.call.findMany();
    expect(call!.participants).toMatchObject([
      { name: 'Zoë Berg', email: 'z@x.example' },
      { name: '[erased]' },
    ]);
    const [event] = await db.engagementEvent.findMany();
    expect(JSON.parse(event!.objectText)).toMatchObject({
      actor: { name: 'Zoë Berg', email: `a${EMAIL}` },
      metadata: { cc: `a${EMAIL}, ${EMAIL}.au, [erased]` },
    });
  });
});

test('a worker that dies before it has noted a step costs that step, which another one takes again', async () => {
  const { db } = database;
  await captureHers();
  const before = await numbers();
  await capture(db, { record: 'erasePerson', email: EMAIL });
  const pace = { stragglersMs: 0 };
  let steps = 0;
  for (let run = await takeErasure(db); run !== null; run = await takeErasure(db)) {
    steps += 1;
    // While somebody has it, nobody else takes it.
    expect(await takeErasure(db)).toBeNull();
    await advanceErasure(db, run, pace);
    if ((await advanceErasure(db, run, pace)) !== null) await giveBackErasure(db, run);
  }
  expect(steps).toBeGreaterThan(10);
  expect(await tracesLeft()).toEqual([]);
  expect(await numbers()).toEqual(before);
  const entries = await findErasures(db, COMPANY, { limit: 10 });
  const named = entries.flatMap(({ text }) => (JSON.parse(text) as Erasure).engagementEventIds);
  expect([entries.length, named.length]).toEqual([1, new Set(named).size]);
  expect(named.length).toBeGreaterThan(1);
  expect(await db.webhookEvent.count({ where: { type: 'person.erased' } })).toBe(1);
});

test('an attempt that began with the body of before is waited for, and what its receiver responds is erased', async () => {
  const { db } = database;
  await captureHers();
  const [delivery] = await db.webhookDelivery.findMany({
    where: { eventType: 'engagement.recorded' },
    take: 1,
  });
  const { id } = delivery!;
  await db.$executeRaw`
    UPDATE webhook_deliveries SET ready = false, claim_token = gen_random_uuid(), lease_expires_at = now() + interval '1 minute',
      attempt_begun = true
    WHERE id = ${id}`;
  await capture(db, { record: 'erasePerson', email: EMAIL });
  const step = async () => {
    const run = (await takeErasure(db))!;
    const pause = await advanceErasure(db, run, { stragglersMs: 0 });
    if (pause !== null) await giveBackErasure(db, run);
    return pause;
  };
  while ((await step())?.waitMs === 0);
  // It waits as long as the attempt lasts.
  for (const _again of [1, 2]) expect((await step())?.waitMs).toBeGreaterThan(0);
  await db.webhookAttempt.create({
    data: {
      companyId: COMPANY,
      deliveryId: id,
      number: 1,
      startedAt: new Date(),
      responseExcerpt: `thanks ${EMAIL}`,
    },
  });
  await db.$executeRaw`
    UPDATE webhook_deliveries SET claim_token = NULL, lease_expires_at = NULL, attempt_begun = false WHERE id = ${id}`;
  await finishErasures(db);
  expect(await tracesLeft()).toEqual([]);
});

describe('a room that is erased', () => {
  test('names nobody and quotes nobody, and every number stays', async () => {
    await captureHers();
    const before = await numbers();
    await capture(database.db, { record: 'eraseRoom', roomId: ROOM });
    await finishErasures(database.db);
    expect(await numbers()).toEqual(before);
    for (const word of ['Zoë', 'Bob', 'bob@', 'eve@', 'Offer_', 'Globex', 'agrees', 'Best,']) {
      const left = await occurrences(database.db, word);
      // She is in another room as well, and what waits for a share link, or an admin wrote, may be of any room.
      expect(
        left.filter(
          (row) => !row.includes(OTHER_ROOM) && !/^(held_records|audit_records|search_words)/.test(row),
        ),
      ).toEqual([]);
    }
  });
});

describe('a room with more people than one transaction erases', () => {
  const COUNT = 2 * MAX_PEOPLE + 50;
  const nth = (n: number) => ({
    record: 'distribution' as const,
    roomId: ROOM,
    recipientName: `Zoe Quist the ${n}.`,
    recipientEmail: `zoe.quist.${n}@globex.example`,
  });
  const visit = (key: string, distributionId: string): ShortRecord => ({
    record: 'event',
    key,
    type: 'room_visit',
    occurredAt: '2026-09-02',
    distributionId,
  });
  const personOf = (email: string) => database.db.person.findMany({ where: { roomId: ROOM, email } });
  const lowest = () =>
    database.db.person.findFirstOrThrow({
      where: { roomId: ROOM, email: { not: null } },
      orderBy: { identity: 'asc' },
    });

  test('is erased in batches, and those who come back before its end are erased as other people', async () => {
    const { db } = database;
    await capture(
      db,
      ...Array.from({ length: COUNT }, (_, n) => ({ ...nth(n), id: uuid(1_000 + n) })),
      { record: 'distribution', id: LINK, recipientName: null, recipientEmail: null },
      { record: 'distribution', id: FORWARD, recipientName: 'Zoe Quist', recipientEmail: null },
      visit('before', uuid(1_000)),
    );
    const inFirst = await lowest();
    await capture(db, { record: 'eraseRoom', roomId: ROOM });
    expect(await personOf(inFirst.email!)).toEqual([]);
    const left = await db.person.count({ where: { roomId: ROOM, email: { not: null } } });
    expect([left > 0, left < COUNT]).toEqual([true, true]);

    // One of those who are erased comes back, and one of the others does something.
    const inLast = await db.person.findFirstOrThrow({
      where: { roomId: ROOM, email: { not: null } },
      orderBy: { identity: 'desc' },
    });
    const linkOfLast = await db.distribution.findFirstOrThrow({ where: { recipientEmail: inLast.email } });
    const back = { record: 'distribution' as const, roomId: ROOM, recipientEmail: inFirst.email };
    await capture(
      db,
      { ...back, id: uuid(2_000), recipientName: inFirst.name },
      visit('back', uuid(2_000)),
      visit('last', linkOfLast.id),
    );
    const [cameBack] = await personOf(inFirst.email!);
    expect(cameBack!.id).not.toBe(inFirst.id);

    await finishErasures(db);
    expect(
      await db.person.count({
        where: { roomId: ROOM, OR: [{ email: { not: null } }, { name: { not: null } }] },
      }),
    ).toBe(0);
    expect(await tracesLeft()).toEqual([]);
    expect(await db.person.count({ where: { id: { in: [inFirst.id, cameBack!.id] } } })).toBe(2);
    const kept = await rollUps();
    await db.$queryRaw`SELECT rebuild_room_roll_ups(${COMPANY}, ARRAY[${ROOM}]::uuid[])`;
    expect(await rollUps()).toEqual(kept);

    // Each person and share link is named once, and the last entry tells what else was erased.
    const entries = (await findErasures(db, COMPANY, { limit: 10 })).map(
      ({ text }) => JSON.parse(text) as Erasure,
    );
    const people = entries.flatMap(({ personIds }) => personIds);
    expect([people.length, new Set(people).size]).toEqual([people.length, people.length]);
    expect(people).toEqual(expect.arrayContaining([inFirst.id, cameBack!.id, inLast.id]));
    expect(entries.flatMap(({ distributionIds }) => distributionIds)).toEqual(
      expect.arrayContaining([uuid(2_000), FORWARD, linkOfLast.id]),
    );
    const events = await db.engagementEvent.findMany({ orderBy: { id: 'asc' } });
    expect(BigInt(entries.at(-1)!.engagementBefore!)).toBeGreaterThan(events.at(-1)!.id);

    // The same address is another person once the people are erased.
    await capture(db, { ...back, id: uuid(2_001), recipientName: inFirst.name }, visit('after', uuid(2_001)));
    const [after] = await personOf(inFirst.email!);
    expect([inFirst.id, cameBack!.id]).not.toContain(after!.id);
    const [event] = await db.engagementEvent.findMany({ where: { key: 'after' } });
    expect(event).toMatchObject({ personId: after!.id, actorEmail: inFirst.email });
  });

  test('is told in full entries on the way, and the console is told how many there are', async () => {
    const { db } = database;
    for (let first = 0; first < MOST_IDS + COUNT; first += 1_000) {
      const length = Math.min(1_000, MOST_IDS + COUNT - first);
      await capture(
        db,
        ...Array.from({ length }, (_, n) => ({ ...nth(first + n), id: uuid(1_000 + first + n) })),
      );
    }
    await capture(db, { record: 'eraseRoom', roomId: ROOM });
    await finishErasures(db);
    const entries = await db.erasure.findMany({ orderBy: { erasedAt: 'asc' } });
    const named = entries.map(({ objectText }) => JSON.parse(objectText) as Erasure);
    expect(named.map(({ personIds }) => personIds.length <= MOST_IDS)).toEqual([true, true]);
    expect(named[0]!.personIds).toHaveLength(MOST_IDS);
    expect(named.map(({ engagementBefore }) => engagementBefore === null)).toEqual([true, false]);
    // Bob and Eve are people of the room as well.
    expect(entries.map(({ people }) => people)).toEqual([0, MOST_IDS + COUNT + 2]);
  });

  test('a worker that is late erases nobody who came back after the last of them was erased', async () => {
    const { db } = database;
    await capture(
      db,
      ...Array.from({ length: MAX_PEOPLE + 20 }, (_, n) => ({ ...nth(n), id: uuid(1_000 + n) })),
    );
    await capture(db, { record: 'eraseRoom', roomId: ROOM });
    const late = (await takeErasure(db))!;
    await advanceErasure(db, late, { stragglersMs: 0 });
    expect((await db.erasureRun.findMany())[0]!.place).not.toBe(late.place);
    await capture(db, { ...nth(0), id: uuid(2_000) });
    await advanceErasure(db, late, { stragglersMs: 0 });
    expect(await personOf('zoe.quist.0@globex.example')).toHaveLength(1);
  });

  test('a person in more rooms than one transaction erases', async () => {
    const { db } = database;
    const rooms = Array.from({ length: MAX_PEOPLE + 20 }, (_, n) => uuid(3_000 + n));
    await capture(
      db,
      ...rooms.map((id) => ({ record: 'room' as const, id, name: 'Initech', ownerId: 7 })),
      ...rooms.map((roomId, n) => ({
        record: 'distribution' as const,
        id: uuid(4_000 + n),
        roomId,
        recipientName: 'Zoe Quist',
        recipientEmail: EMAIL,
      })),
      ...rooms.map((_, n) => visit(`visit ${n}`, uuid(4_000 + n))),
    );
    await capture(db, { record: 'erasePerson', email: EMAIL });
    const left = await db.person.findMany({ where: { email: EMAIL.toLowerCase() } });
    expect(left).toHaveLength(20);
    // Another name is known of one of those who are left.
    const link = await db.distribution.findFirstOrThrow({ where: { roomId: left[0]!.roomId } });
    await capture(
      db,
      { record: 'distribution', id: link.id, recipientName: 'Zoe Brandt' },
      { record: 'actionItem', id: uuid(63), roomId: ROOM, title: 'Ask Zoe Brandt' },
    );
    await finishErasures(db);
    expect(await tracesLeft()).toEqual([]);
    expect((await db.erasure.findMany()).map(({ people }) => people)).toEqual([rooms.length]);
  });
});

describe('the erasures of a workspace', () => {
  const OTHER_COMPANY = 9_999;
  const emails = (count: number) => Array.from({ length: count }, (_, n) => `zoe.quist.${n}@globex.example`);
  const erase = (email: string) => ({ record: 'erasePerson' as const, email });
  const stepsOf = async (count: number): Promise<number[]> => {
    const served: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const run = (await takeErasure(database.db))!;
      served.push(run.companyId);
      if ((await advanceErasure(database.db, run, { stragglersMs: 0 })) !== null) {
        await giveBackErasure(database.db, run);
      }
    }
    return served;
  };

  test('are limited, whoever begins them, and the records beside those over the limit are written', async () => {
    const { db } = database;
    const records = [
      ...emails(MAX_OPEN_ERASURES + 3).map(erase),
      { record: 'room', id: OTHER_ROOM, name: 'Initech', ownerId: 7 },
    ];
    const batch = records.map((record, n) => ({
      line: n + 1,
      record: captureRecord.parse({ companyId: COMPANY, ...record }),
    }));
    let transactions = 0;
    const store = openStore(db);
    const { refused, result } = await writeBatch(
      {
        ...store,
        writeBatches(companyId, batches) {
          transactions += 1;
          return store.writeBatches(companyId, batches);
        },
      },
      COMPANY,
      batch,
      'continue',
    );
    expect(refused.map(({ line, errors }) => [line, errors])).toEqual(
      [11, 12, 13].map((line) => [
        line,
        [
          {
            field: '',
            message: expect.stringContaining('send the record again later'),
            code: 'RATE_LIMITED',
          },
        ],
      ]),
    );
    // All that are over the limit are refused at once.
    expect([result!.captured, transactions]).toEqual([MAX_OPEN_ERASURES + 1, 2]);
    expect(await db.erasureRun.count()).toBe(MAX_OPEN_ERASURES);
    await finishErasures(db);
    await capture(db, erase(emails(1)[0]!));
  });

  test('are limited when two processes begin them at the same time', async () => {
    const { db } = database;
    await capture(db, ...emails(MAX_OPEN_ERASURES - 1).map(erase));
    const begun = await Promise.allSettled(
      ['ann@x.example', 'ben@x.example', 'cat@x.example'].map((email) => capture(db, erase(email))),
    );
    expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await db.erasureRun.count()).toBe(MAX_OPEN_ERASURES);
  });

  test('take turns with those of other workspaces, and with each other', async () => {
    const { db } = database;
    await capture(db, ...emails(MAX_OPEN_ERASURES).map(erase));
    await capture(db, { record: 'company', id: OTHER_COMPANY, name: 'Initech' }, {
      ...erase(EMAIL),
      companyId: OTHER_COMPANY,
    } as ShortRecord);
    const served = await stepsOf(8);
    expect(served).toEqual(served.map((_, n) => (n % 2 === 0 ? COMPANY : OTHER_COMPANY)));
    // Each of its steps was of another one.
    const places = await db.erasureRun.groupBy({
      by: ['place'],
      where: { companyId: COMPANY },
      _count: true,
    });
    expect(places.find(({ place }) => place === 'names of engagementViews')?._count).toBe(4);
  });

  test('let the workspace rest, and others go on: of one workspace, one is taken at a time', async () => {
    const { db } = database;
    await capture(db, ...emails(2).map(erase));
    const run = (await takeErasure(db))!;
    expect(await takeErasure(db)).toBeNull();
    await giveBackErasure(db, run, { waitMs: 0, restMs: 600_000 });
    expect(await takeErasure(db)).toBeNull();
    await capture(db, { record: 'company', id: OTHER_COMPANY, name: 'Initech' }, {
      ...erase(EMAIL),
      companyId: OTHER_COMPANY,
    } as ShortRecord);
    expect(await takeErasure(db)).toMatchObject({ companyId: OTHER_COMPANY });
    expect(await msUntilNextStep(db)).toBeGreaterThan(30_000);
  });

  test('go on while one waits for attempts, and a worker that is stopped meanwhile loses nothing', async () => {
    const { db } = database;
    await capture(db, ...emails(2).map(erase));
    const errors: unknown[] = [];
    const context = { db, pollMs: 5, onDone: () => {}, onError: (error: unknown) => errors.push(error) };
    const erasing = keepErasing({ ...context, stragglersMs: 600_000 });
    await until('both to wait', async () => {
      const runs = await db.erasureRun.findMany({ where: { place: 'stragglers', after: 'waited' } });
      return runs.length === 2 ? runs : null;
    });
    await erasing.stop();
    const runs = await db.erasureRun.findMany();
    const inAMinute = Date.now() + 60_000;
    expect(runs.map(({ dueAt }) => dueAt.getTime() > inAMinute)).toEqual([true, true]);
    expect([await takeErasure(db), errors]).toEqual([null, []]);
  });

  test('go on when the step of one has failed', async () => {
    const { db } = database;
    await capture(db, ...emails(2).map(erase));
    const [first] = await db.erasureRun.findMany({ orderBy: [{ requestedAt: 'asc' }, { id: 'asc' }] });
    await db.$executeRaw`UPDATE erasure_runs SET place = 'of another version' WHERE id = ${first!.id}::uuid`;
    const errors: unknown[] = [];
    let done = 0;
    const erasing = keepErasing({
      db,
      pollMs: 5,
      stragglersMs: 0,
      onDone: () => (done += 1),
      onError: (error) => errors.push(error),
    });
    await until('the other one', () => done === 1);
    await erasing.stop();
    expect(errors).toHaveLength(1);
    expect((await db.erasureRun.findMany()).map(({ id }) => id)).toEqual([first!.id]);
  });

  test('are taken one by one, whatever the planner chooses', async () => {
    const { db } = database;
    await capture(db, ...emails(5).map(erase));
    const url = new URL(database.url);
    // The inner part of a nested loop runs once for each outer row.
    url.searchParams.set(
      'options',
      '-c enable_hashjoin=off -c enable_mergejoin=off -c enable_hashagg=off -c enable_sort=off -c enable_material=off',
    );
    const nested = new Database({ url: url.href, poolSize: 1, applicationName: 'test', ...TEST_LIMITS });
    try {
      expect(await takeErasure(nested)).not.toBeNull();
    } finally {
      await nested.close();
    }
    const leased = await db.erasureRun.count({ where: { dueAt: { gt: new Date() } } });
    expect(leased).toBe(1);
  });
});

test('what was erased after a backup is erased again in the database that was restored from it', async () => {
  const { db } = database;
  await captureHers();
  await capture(db, { record: 'erasePerson', email: EMAIL });
  await finishErasures(db);
  await capture(db, { record: 'eraseRoom', roomId: OTHER_ROOM });
  await finishErasures(db);
  const kept: string[] = [];
  for await (const line of keptErasures(db)) kept.push(line);
  expect(kept).toHaveLength(2);
  expect(kept.join()).not.toMatch(/quist/i);
  // Nothing is left to erase.
  for (const line of kept) expect(await repeatErasure(db, line)).toBe(0);

  // The rows that the backup had of them.
  await db.$executeRaw`DELETE FROM erasures`;
  await db.$executeRaw`
    UPDATE people SET identity = ${`email:${EMAIL.toLowerCase()}`}, email = ${EMAIL.toLowerCase()}, name = ${NAME}
    WHERE id = (SELECT id FROM people WHERE room_id = ${ROOM}::uuid AND identity LIKE '%@erased.invalid')`;
  await db.$executeRaw`UPDATE rooms SET name = ${`Initech (${NAME})`} WHERE id = ${OTHER_ROOM}::uuid`;
  let erased = 0;
  for (const line of kept) erased += await repeatErasure(db, line);
  expect(erased).toBe(2);
  await finishErasures(db);
  expect(await tracesLeft()).toEqual([]);
});

test.each([
  [{ record: 'erasePerson', email: 'ann@acme.example' }, 'is the address of user 7'],
  [{ record: 'erasePerson', personId: uuid(99) }, 'is nobody in this workspace'],
  [{ record: 'eraseRoom', roomId: uuid(99) }, 'is unknown in this workspace'],
] as const)('%j is refused', async (record, problem) => {
  await expect(capture(database.db, record)).rejects.toThrow(problem);
  expect(await database.db.erasureRun.count()).toBe(0);
});

test('a pseudonym can be captured as the address of nobody', () => {
  const record = { record: 'user', companyId: 1, id: 1, name: 'x', email: 'a@erased.invalid' };
  expect(captureRecord.safeParse(record).error?.issues[0]?.message).toContain('erased.invalid');
});

describe('a search', () => {
  const names = ['Zoë O"Neil Quist', 'Zenobia', 'Émile D’Arc', 'Berg-Haus, Ann Mary'];
  const { pattern, replace } = searchFor({ email: 'zoe+b@x.test', names })!;
  test.each([
    ['ZOE+B@X.TEST', '[erased]'],
    ['zoe%2Bb%40x.test', '[erased]'],
    ['to=zoe%2bb@x.test&', 'to=[erased]&'],
    ['<zoe+b@x.test>.', '<[erased]>.'],
    ['azoe+b@x.test', 'azoe+b@x.test'],
    ['zoe+b@x.test.au', 'zoe+b@x.test.au'],
    ['zoe+b@x.tests', 'zoe+b@x.tests'],
    ['zoë o"neil quist', '[erased]'],
    ['Zoe\u0308 O"NEIL\u00a0 Quist!', '[erased]!'],
    ['Zoë%20O\\"Neil_Quist', '[erased]'],
    ['Quist, Zoë O"Neil', '[erased]'],
    ['zoe o"neil quist', '[erased]'],
    ['Zoë O"Neil Quistgaard', 'Zoë O"Neil Quistgaard'],
    ['zoë\tO"Neil\nQuist', '[erased]'],
    ["emile d'arc", '[erased]'],
    ['Ann Mary Berg Haus', '[erased]'],
    ['BERG-HAUS, ann mary', '[erased]'],
    // A name of one word is of too many.
    ['Zenobia', 'Zenobia'],
  ])('of %s', async (text, expected) => {
    expect(replace(text)).toBe(expected);
    const [row] = await database.db.$queryRaw<[{ inText: boolean; inJson: boolean }]>`
      SELECT ${text} ~ ${pattern} AS "inText", ${JSON.stringify({ text })} ~ ${pattern} AS "inJson"`;
    // The database finds at least as much.
    if (expected !== text) expect(row).toEqual({ inText: true, inJson: true });
  });

  // With two ways to read a part of a text, each of these takes for ever.
  test.each([
    ['x . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . y', '.'],
    [`x ${'\\ '.repeat(40)}y`, '\\'],
    [`x ${'%20 '.repeat(20)}y`, '%20'],
    [`x ${'n '.repeat(45)}y`, '\\n'],
    [`x ${'" '.repeat(40)}y`, '\\"'],
  ])('for %s takes no longer in a hostile text', async (name, part) => {
    const hostile = searchFor({ email: null, names: [`anna ${name}`] })!;
    const text = `anna x ${part.repeat(5_000)}`;
    expect(hostile.replace(text)).toBe(text);
    await database.db.$queryRaw`SELECT ${text} ~ ${hostile.pattern} AS found`;
  });

  test('is bounded, however many and long the names are, and they may end like a text in JSON', async () => {
    const long = Array.from({ length: 5_000 }, (_, n) => `É${n} ${'ö'.repeat(90)}`);
    const many = searchFor({ email: EMAIL, names: long })!;
    expect(many.pattern.length).toBeLessThan(1_000_000);
    expect(searchFor({ email: null, names: [`a ${'b'.repeat(1_000)}`] })).toBeNull();
    await database.db.$queryRaw`SELECT ${'x'} ~ ${many.pattern} AS found`;
    await capture(
      database.db,
      { record: 'distribution', id: LINK, recipientName: 'Zoe Quist"', recipientEmail: EMAIL },
      { record: 'erasePerson', email: EMAIL },
    );
    await database.db.$executeRaw`
      INSERT INTO audit_records (company_id, id, at, action, object_type, object_id, details)
      VALUES (${COMPANY}, ${1n}, now(), 'x', 'x', 'x', ${JSON.stringify({ description: 'by Zoe Quist' })}::jsonb)`;
    await finishErasures(database.db);
    const [record] = await database.db.auditRecord.findMany();
    expect(record!.details).toEqual({ description: 'by [erased]' });
  });
});

/** Texts that are not searched, and why. What is not here is, so a new column has to be put into one of the two. */
const NOT_SEARCHED = {
  'what we write ourselves': `
    api_keys.prefix api_keys.scopes api_keys.allowed_networks audit_records.action audit_records.ip_address
    audit_records.object_id audit_records.object_type audit_records.request_id audit_records.server_request_id
    engagement_views.segments erasures.object_text webhook_attempts.error webhook_attempts.traceparent
    webhook_deliveries.event_type webhook_deliveries.last_error webhook_endpoints.disabled_reason webhook_endpoints.events
    webhook_endpoints.header_names webhook_endpoints.last_error webhook_endpoints.responded_origin webhook_events.capture_span
    webhook_events.type held_records.kind held_records.problem erasure_runs.place erasure_runs.after`,
  'what is removed when it is done': 'erasure_runs.email erasure_runs.names erasure_runs.persons',
  'sellers and admins': `
    users.name users.email api_keys.name webhook_endpoints.description webhook_endpoints.url engagement_events.owner_name
    engagement_events.owner_email engagement_views.owner_name engagement_views.owner_email`,
  'a closed list, or an id': 'engagement_events.type esign_documents.id',
  'rewritten with its row': `
    rooms.object_text calls.object_text engagement_events.object_text engagement_views.object_text search_words.word`,
  'erased at once, a row a person': `
    people.identity people.email people.name people.role people.title room_members.identity room_members.email
    room_members.name room_members.role room_members.title distributions.recipient_name distributions.recipient_email
    room_people.person room_people.email room_people.name room_watches.person room_readings.person room_readings.email
    room_readings.name room_document_openers.person`,
  'searched by a place of its own': `
    held_records.key held_records.record audit_records.details webhook_events.body webhook_events.person
    webhook_attempts.response_excerpt engagement_events.actor_name engagement_events.actor_email
    engagement_views.actor_name engagement_views.actor_email`,
};

test('every column that can hold a text is searched, or it is said why not', async () => {
  const columns = await database.db.$queryRaw<{ name: string }[]>`
    SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
    WHERE c.table_schema = current_schema() AND (c.data_type IN ('text', 'json', 'jsonb') OR c.udt_name = '_text')
      AND EXISTS (SELECT FROM information_schema.columns o
        WHERE o.table_schema = c.table_schema AND o.table_name = c.table_name AND o.column_name = 'company_id')`;
  const searched = ERASED_TABLES.flatMap(({ table, fields }) =>
    Object.keys(fields).map((field) => `${table.sql}.${columnOf(field).sql}`),
  );
  const others = Object.values(NOT_SEARCHED).flatMap((names) => names.trim().split(/\s+/));
  expect(columns.map(({ name }) => name).toSorted()).toEqual([...searched, ...others].toSorted());
});
