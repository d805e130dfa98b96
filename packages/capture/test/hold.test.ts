import { capture, DOCUMENT, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { expect, test } from '@jest/globals';
import { captureBatch, type BatchOptions } from '../src/transaction/capture-batch.ts';
import { HELD_RECORDS_LIMIT, HOLD_HOURS } from '../src/held-records/hold-records.ts';
import { parseRecord } from '../src/records/parse-record.ts';
import { capturedDatabase } from './captured-database.ts';
import { recordedTypes, snapshot } from './records.ts';

const LATE = uuid(30);
const OTHER = uuid(31);
const NEW_ROOM = uuid(32);

const database = capturedDatabase();

/** Captures records in one transaction; holds those without a link unless told otherwise. */
function hold(records: readonly ShortRecord[], options: BatchOptions = { hold: true }, traceparent?: string) {
  const entries = records.map((record, n) => ({
    line: n + 1,
    traceparent,
    record: parseRecord({ companyId: COMPANY, ...record }, n + 1, { lenient: false }),
  }));
  return captureBatch(database.db, COMPANY, entries, options);
}

const event = (key: string, distributionId = LATE): ShortRecord => ({
  record: 'event',
  key,
  type: 'room_visit',
  occurredAt: '2026-09-02',
  distributionId,
});
const message = (key: string): ShortRecord => ({
  record: 'message',
  key,
  roomId: ROOM,
  side: 'prospect',
  sentAt: '2026-09-02',
  distributionId: LATE,
  text: 'Hello',
});
const view = (key: string, docId: string | null = null): ShortRecord => ({
  record: 'view',
  key,
  distributionId: LATE,
  startedAt: '2026-09-02T10:00Z',
  endedAt: '2026-09-02T10:05Z',
  docId,
  segments: [[0, 1.5]],
});
const link = (id = LATE, roomId = ROOM): ShortRecord => ({
  record: 'distribution',
  id,
  roomId,
  recipientName: 'Late',
  recipientEmail: 'late@globex.example',
  callId: uuid(2),
});

/** The held records, oldest first. */
async function heldRecords() {
  const rows = await database.db.heldRecord.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ kind, key, problem }) => [`${kind} ${key}`, problem]);
}

/** The recorded events and views, each in the order of their ids. */
async function recorded() {
  const { events, views } = await snapshot(database.db);
  return [events.map(({ source, key }) => `${source} ${key}`), views.map(({ key }) => key)];
}

test('records wait for their link, and are written in order in the transaction that brings it', async () => {
  await addEndpoint(database.db);
  const first = await hold([event('1'), message('2'), view('3'), event('4', OTHER)]);
  expect(first).toEqual({ captured: 0, unchanged: 0, held: 4, refusedHeld: [], refused: [] });
  expect(await hold([event('5'), message('6')])).toMatchObject({ held: 2 });
  expect(await recorded()).toEqual([[], []]);
  expect(await recordedTypes(database.db)).toEqual([]);

  const room = await database.db.room.findFirstOrThrow({ where: { id: ROOM } });
  const released = await hold([link(), event('7')], {});
  expect(released).toEqual({ captured: 2, unchanged: 0, held: 0, refusedHeld: [], refused: [] });
  expect(await recorded()).toEqual([['event 1', 'message 2', 'event 5', 'message 6', 'event 7'], ['3']]);
  const [engagement, viewed] = ['engagement.recorded', 'engagement.view.recorded'];
  expect(await recordedTypes(database.db)).toEqual([
    engagement,
    engagement,
    viewed,
    engagement,
    engagement,
    engagement,
  ]);
  expect(await heldRecords()).toEqual([['event 4', null]]);
  const [stored] = await database.db.engagementView.findMany();
  expect(stored).toMatchObject({ actorName: 'Late', watchSeconds: 1, segments: [[0, 1.5]] });
  const moved = await database.db.room.findFirstOrThrow({ where: { id: ROOM } });
  expect(moved.lastActivityAt.getTime()).toBeGreaterThan(room.lastActivityAt.getTime());
});

test('the events of released records belong to the trace of the request that brings their link', async () => {
  await addEndpoint(database.db);
  await hold([event('e1'), view('v1')], { hold: true }, `00-${'a'.repeat(32)}-${'a'.repeat(16)}-01`);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await hold([link()], { hold: true }, `00-${traceId}-b7ad6b7169203331-01`);
  const events = await database.db.webhookEvent.findMany();
  expect(events.map((one) => one.traceId?.replaceAll('-', ''))).toEqual([traceId, traceId]);
});

test('a record that is held and released in one batch counts once, as captured', async () => {
  expect(await hold([event('1'), link(), event('2'), event('1')])).toEqual({
    captured: 3,
    unchanged: 1,
    held: 0,
    refusedHeld: [],
    refused: [],
  });
  expect(await recorded()).toEqual([['event 1', 'event 2'], []]);
});

test('without hold, a record whose link is unknown is refused', async () => {
  await expect(hold([event('1')], {})).rejects.toMatchObject({ errors: [{ field: 'distributionId' }] });
  expect(await heldRecords()).toEqual([]);
});

test('a record that waits already changes nothing', async () => {
  await hold([event('1')]);
  expect(await hold([event('1')])).toMatchObject({ captured: 0, unchanged: 1, held: 0 });
  expect(await heldRecords()).toEqual([['event 1', null]]);
});

test('a transaction that fails leaves the held records as they were', async () => {
  await hold([event('1')]);
  await expect(hold([link(), event('2', OTHER)], {})).rejects.toMatchObject({ line: 2 });
  expect(await heldRecords()).toEqual([['event 1', null]]);
  expect(await recorded()).toEqual([[], []]);
});

test('a record that contradicts its link is refused when the link comes, reported, and replaced by a corrected one', async () => {
  await capture(database.db, { record: 'room', id: NEW_ROOM, name: 'Initech' });
  await hold([event('1'), message('2'), view('3', DOCUMENT), view('4', uuid(99)), event('5')]);
  const problems = [
    { kind: 'message', key: '2', problem: "distributionId: expected a distribution of the message's room" },
    { kind: 'view', key: '3', problem: "docId: expected a document in the distribution's room" },
    {
      kind: 'view',
      key: '4',
      problem: `docId: ${uuid(99)} is unknown in this workspace; capture it first`,
    },
  ];
  expect(await hold([link(LATE, NEW_ROOM)])).toEqual({
    captured: 1,
    unchanged: 0,
    held: 0,
    refused: [],
    refusedHeld: problems,
  });
  expect(await recorded()).toEqual([['event 1', 'event 5'], []]);
  expect(await heldRecords()).toEqual(problems.map(({ kind, key, problem }) => [`${kind} ${key}`, problem]));
  const corrected = { ...view('4'), distributionId: OTHER } as ShortRecord;
  expect(await hold([corrected])).toMatchObject({ held: 1 });
  expect((await heldRecords()).at(-1)).toEqual(['view 4', null]);
  await hold([link(OTHER)]);
  expect(await recorded()).toEqual([['event 1', 'event 5'], ['4']]);
});

test('a record waits for a day: then it is refused, reported once, and stays in the table', async () => {
  const { db } = database;
  await hold([event('1'), event('2'), event('3', OTHER)]);
  const age = (key: string, ms: number) => db.$executeRaw`
    UPDATE held_records SET held_at = (SELECT at FROM feed_clocks) - ${ms} * interval '1 millisecond' WHERE key = ${key}`;
  await age('1', HOLD_HOURS * 3_600_000 + 1);
  await age('2', HOLD_HOURS * 3_600_000 - 60_000);
  const problem = 'its share link was not captured within 24 hours';
  const counts = await hold([link()], {});
  expect(counts.refusedHeld).toEqual([{ kind: 'event', key: '1', problem }]);
  expect(await recorded()).toEqual([['event 2'], []]);

  await age('3', HOLD_HOURS * 3_600_000 + 1);
  expect((await hold([event('4', uuid(33))])).refusedHeld).toEqual([{ kind: 'event', key: '3', problem }]);
  expect((await hold([link(OTHER), event('5', uuid(33))])).refusedHeld).toEqual([]);
  expect(await heldRecords()).toEqual([
    ['event 1', problem],
    ['event 3', problem],
    ['event 4', null],
    ['event 5', null],
  ]);
});

test('a workspace holds a limited number of records, and refuses the one beyond it', async () => {
  const many = Array.from({ length: HELD_RECORDS_LIMIT - 1 }, (_, n) => event(`many ${n}`));
  await hold(many);
  await expect(hold([event('a'), event('b')])).rejects.toMatchObject({
    line: 2,
    errors: [
      {
        field: 'distributionId',
        message: 'is unknown in this workspace, which has 1000 held records already',
      },
    ],
  });
  // Left out, it leaves nothing behind.
  const full = await hold([event('a'), event('b'), event('c', OTHER)], { hold: true, onError: 'continue' });
  expect(full).toMatchObject({ held: 1, refused: [{ line: 2 }, { line: 3 }] });
  expect(await database.db.heldRecord.count()).toBe(HELD_RECORDS_LIMIT);
  await database.db.heldRecord.deleteMany({ where: { key: 'a' } });
  expect(await hold([event('a'), event('many 3')])).toMatchObject({ held: 1, unchanged: 1 });
  // A record that was refused and comes again takes its own place.
  await database.db.heldRecord.updateMany({ where: { key: 'many 7' }, data: { problem: 'refused' } });
  expect(await hold([event('many 7')])).toMatchObject({ held: 1, unchanged: 0 });
  expect(await hold([link()])).toMatchObject({ captured: 1, refusedHeld: [] });
  const [events] = await recorded();
  expect(events).toHaveLength(HELD_RECORDS_LIMIT);
  expect(await heldRecords()).toEqual([]);
});

test('held records of a workspace are not those of another', async () => {
  await hold([event('1')]);
  const other = { companyId: 2 };
  await capture(
    database.db,
    { record: 'company', id: 2, name: 'Other' },
    { record: 'room', id: ROOM, name: 'x', ...other },
    { record: 'distribution', id: LATE, roomId: ROOM, recipientName: 'x', recipientEmail: null, ...other },
  );
  expect(await recorded()).toEqual([[], []]);
  expect(await heldRecords()).toEqual([['event 1', null]]);
});
