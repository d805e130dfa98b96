import { CALL, capture, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { describe, expect, test } from '@jest/globals';
import { captureRecords } from '../src/stream/capture-records.ts';
import { captureRecord, KINDS } from '../src/records/record.ts';
import { capturedDatabase } from './captured-database.ts';
import { everything, recordedTypes, rowsOfAllTables, snapshot } from './records.ts';

const database = capturedDatabase();

/** The kinds that `captureWorkspace` captures, and those that only start an erasure. */
const OTHER_KINDS = ['company', 'user', 'call', 'distribution', 'document', 'erasePerson', 'eraseRoom'];

describe('idempotence', () => {
  test('`everything` has a record of every other kind', () => {
    const kinds = new Set([...everything.map(({ record }) => record), ...OTHER_KINDS]);
    expect([...kinds].toSorted()).toEqual(Object.keys(KINDS).toSorted());
  });

  test('capturing everything again changes no row, moves nothing in a feed and records no event', async () => {
    await addEndpoint(database.db);
    await capture(database.db, ...everything);
    const before = await rowsOfAllTables(database.db);
    expect(before.get('pending_deliveries')).not.toBe('');
    await capture(database.db, ...everything);
    expect(await rowsOfAllTables(database.db)).toEqual(before);
  });

  test('capturing a history that ends in the present state again changes nothing', async () => {
    await addEndpoint(database.db);
    const history = [
      { record: 'room', id: ROOM, name: 'Globex', status: 'open', dealValueCents: 100 },
      { record: 'room', id: ROOM, name: 'Globex', status: 'won', dealValueCents: 200 },
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, status: 'processing' },
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, status: 'completed' },
      { record: 'callSummary', callId: CALL, summary: { headline: 'first' } },
      { record: 'callSummary', callId: CALL, summary: { headline: 'second' } },
      { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'sent' },
      { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'completed' },
    ] satisfies ShortRecord[];
    await capture(database.db, ...history);
    expect(await recordedTypes(database.db)).toEqual([
      'decision_room.updated',
      'call.summary.created',
      'decision_room.esign.updated',
    ]);
    const before = await snapshot(database.db);
    await capture(database.db, ...history);
    expect(await snapshot(database.db)).toEqual(before);
  });

  test('-0 equals 0, so it changes no row and causes no event', async () => {
    await addEndpoint(database.db);
    const withZero = (zero: number): ShortRecord[] => [
      { record: 'callSummary', callId: CALL, summary: { topics: [{ label: 'x', startSeconds: zero }] } },
      {
        record: 'call',
        id: CALL,
        participants: [{ name: 'Bob', talkSeconds: zero, talkPercent: zero }],
        talkTime: { source: 'x', totalSpeakerSeconds: zero },
      },
      { record: 'room', id: ROOM, dealValueCents: zero },
      {
        record: 'esign',
        id: 'c',
        roomId: ROOM,
        vendor: 'v',
        envelopeId: 'e',
        status: 'sent',
        recipientCount: zero,
      },
    ];
    await capture(database.db, ...withZero(0));
    const before = await snapshot(database.db);
    await capture(database.db, ...withZero(-0));
    expect(await snapshot(database.db)).toEqual(before);
  });

  test('the first record with a key is kept, even within one list', async () => {
    const event = { record: 'event', key: 'same', occurredAt: '2026-09-02', distributionId: LINK } as const;
    await capture(database.db, { ...event, type: 'room_visit' }, { ...event, type: 'comment' });
    await capture(database.db, { ...event, type: 'forward' });
    const events = await database.db.engagementEvent.findMany();
    expect(events.map(({ type }) => type)).toEqual(['room_visit']);
  });
});

describe('upserts', () => {
  test('an omitted field keeps its value and null clears it', async () => {
    await capture(database.db, {
      record: 'room',
      id: ROOM,
      name: 'Globex',
      primaryContactEmail: 'bob@globex.example',
    });
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex Corp', dealValueCents: null });
    expect(await database.db.room.findFirst()).toMatchObject({
      name: 'Globex Corp',
      primaryContactEmail: 'bob@globex.example',
      ownerId: 7,
      dealValueCents: null,
    });
  });

  test('a room has one member per email, ignoring case, and per name without an email', async () => {
    await capture(
      database.db,
      { record: 'member', roomId: ROOM, email: 'Bob@Globex.example', name: 'Bob' },
      { record: 'member', roomId: ROOM, email: 'bob@globex.example', title: 'CTO' },
      { record: 'member', roomId: ROOM, name: 'Bob' },
      { record: 'member', roomId: ROOM, name: 'Bob', role: 'Signer' },
    );
    const members = await database.db.roomMember.findMany({ orderBy: { identity: 'asc' } });
    expect(members).toMatchObject([
      { email: 'bob@globex.example', name: 'Bob', title: 'CTO' },
      { email: null, name: 'Bob', role: 'Signer' },
    ]);
  });

  test('the same id in another workspace is another row', async () => {
    await captureRecords(
      database.db,
      [
        { record: 'company', id: 2, name: 'Other' },
        { record: 'room', companyId: 2, id: ROOM, name: 'Elsewhere', status: 'lost' },
      ].map((record) => captureRecord.parse(record)),
    );
    const rooms = await database.db.room.findMany({ orderBy: { companyId: 'asc' } });
    expect(rooms.map(({ companyId, name, status }) => [companyId, name, status])).toEqual([
      [1, 'Globex', 'open'],
      [2, 'Elsewhere', 'lost'],
    ]);
  });
});
