import {
  CALL,
  capture,
  DOCUMENT,
  FORWARD,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { describe, expect, test } from '@jest/globals';
import { capturedDatabase } from './captured-database.ts';
import { everything } from './records.ts';

const database = capturedDatabase();
/** The room fields of engagement after `everything` was captured. */
const ofRoom = {
  buyerSpaceId: ROOM,
  buyerSpaceName: 'Globex',
  ownerId: 7,
  ownerName: 'Ann',
  ownerEmail: 'ann@acme.example',
};

describe('an engagement event or view keeps what it showed when it was recorded', () => {
  test('it copies its room with the owner, the recipient and the recording of its link, and a forward names its origin', async () => {
    await capture(database.db, ...everything);
    await capture(
      database.db,
      {
        record: 'distribution',
        id: LINK,
        roomId: ROOM,
        recipientName: 'Robert',
        recipientEmail: 'r@globex.example',
      },
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, title: 'Renamed' },
      { record: 'user', id: 8, name: 'Joe', email: 'joe@acme.example' },
      { record: 'room', id: ROOM, name: 'Renamed', ownerId: 8 },
      { record: 'user', id: 7, name: 'Anna', email: 'anna@acme.example' },
    );
    const [first, second] = await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } });
    expect(first).toMatchObject({
      actorName: 'Bob',
      actorEmail: 'bob@globex.example',
      demoId: CALL,
      demoTitle: 'First demo',
      distributionId: LINK,
      forwardedFromDistributionId: null,
      ...ofRoom,
    });
    const bob = await database.db.person.findFirstOrThrow({ where: { email: 'bob@globex.example' } });
    expect(first?.personId).toBe(bob.id);
    const views = await database.db.engagementView.findMany();
    expect(views).toEqual(views.map(() => expect.objectContaining({ ...ofRoom, personId: bob.id })));
    expect(second).toMatchObject({
      distributionId: FORWARD,
      forwardedFromDistributionId: LINK,
      docId: DOCUMENT,
    });
  });

  test('the seconds of a recording are computed from its segments, those of a document are captured', async () => {
    await capture(database.db, ...everything);
    const [recording, document] = await database.db.engagementView.findMany({ orderBy: { id: 'asc' } });
    expect(recording).toMatchObject({
      kind: 'trailer',
      demoId: CALL,
      docId: null,
      watchSeconds: 250,
      uniqueSeconds: 200,
      durationSeconds: 600,
      completionPercent: 33,
    });
    expect(document).toMatchObject({
      kind: 'document',
      demoId: null,
      docId: DOCUMENT,
      watchSeconds: 30,
      uniqueSeconds: null,
      durationSeconds: null,
      completionPercent: null,
    });
  });
});

describe('positions in the feeds', () => {
  const room = () => database.db.room.findFirstOrThrow({ where: { id: ROOM } });
  const call = () => database.db.call.findFirstOrThrow({ where: { id: CALL } });

  test.each(everything.map((record) => [record.record, record] as const))(
    'a record of the kind %s moves its room',
    async (_kind, record) => {
      const before = await room();
      await capture(database.db, record);
      expect((await room()).lastActivityAt.getTime()).toBeGreaterThan(before.lastActivityAt.getTime());
    },
  );

  test.each<[string, ShortRecord]>([
    [
      'title',
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, title: 'Second demo' },
    ],
    ['summary', { record: 'callSummary', callId: CALL, summary: { headline: 'h' } }],
    ['deal status', { record: 'room', id: ROOM, name: 'Globex', status: 'won' }],
    ['deal value', { record: 'room', id: ROOM, name: 'Globex', dealValueCents: 1 }],
    ["owner's name", { record: 'user', id: 7, name: 'Anna', email: 'ann@acme.example' }],
  ])('a change of the %s moves the call', async (_field, change) => {
    const before = await call();
    await capture(database.db, change);
    expect((await call()).updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
  });

  test('a room change that the call does not show does not move the call', async () => {
    const before = await call();
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', slug: 'globex' });
    expect((await call()).updatedAt).toEqual(before.updatedAt);
  });

  test('a renamed owner moves the rooms that show the name', async () => {
    const before = await room();
    await capture(database.db, { record: 'user', id: 7, name: 'Anna', email: 'ann@acme.example' });
    expect((await room()).lastActivityAt.getTime()).toBeGreaterThan(before.lastActivityAt.getTime());
  });
});
