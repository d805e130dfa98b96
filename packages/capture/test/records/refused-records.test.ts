import { findHeatmap } from '@deal-signals/serializers/engagement/heatmap';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import { capture, DOCUMENT, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { captureRecords } from '../../src/stream/capture-records.ts';
import { captureRecord } from '../../src/records/record.ts';
import { capturedDatabase } from '../captured-database.ts';

const database = capturedDatabase();

const faulty: [string, Parameters<typeof capture>[1], string][] = [
  ['an unknown owner', { record: 'room', id: ROOM, name: 'x', ownerId: 99 }, 'ownerId'],
  ['an unknown source call', { record: 'room', id: ROOM, name: 'x', sourceCallId: uuid(99) }, 'sourceCallId'],
  ['an unknown room', { record: 'member', roomId: uuid(99), name: 'x' }, 'roomId'],
  ['an unknown call', { record: 'callSummary', callId: uuid(99), summary: {} }, 'callId'],
  [
    'an unknown link',
    { record: 'event', key: 'k', type: 't', occurredAt: '2026-01-01', distributionId: uuid(99) },
    'distributionId',
  ],
  [
    'an unknown link of a view',
    { record: 'view', key: 'k', distributionId: uuid(99), startedAt: '2026-01-01', endedAt: '2026-01-01' },
    'distributionId',
  ],
  [
    'an unknown link of a message',
    {
      record: 'message',
      key: 'k',
      roomId: ROOM,
      side: 'prospect',
      sentAt: '2026-01-01',
      distributionId: uuid(99),
    },
    'distributionId',
  ],
  [
    'an unknown document',
    {
      record: 'event',
      key: 'k',
      type: 't',
      occurredAt: '2026-01-01',
      distributionId: LINK,
      docId: uuid(99),
    },
    'docId',
  ],
  [
    'an unknown origin',
    {
      record: 'distribution',
      id: uuid(20),
      roomId: ROOM,
      recipientName: 'x',
      recipientEmail: null,
      forwardedFromDistributionId: uuid(99),
    },
    'forwardedFromDistributionId',
  ],
  [
    'completedBy without completedAt',
    { record: 'actionItem', id: uuid(21), roomId: ROOM, title: 'x', completedBy: 'seller' },
    'completedBy',
  ],
];

test.each(faulty)(
  'a record with %s is rejected with its line and field, and the records before it are stored',
  async (_name, record, field) => {
    const list = [
      {
        record: 'event',
        key: 'before',
        type: 'room_visit',
        occurredAt: '2026-01-01',
        distributionId: LINK,
      },
      record,
      { record: 'event', key: 'after', type: 'room_visit', occurredAt: '2026-01-01', distributionId: LINK },
    ] satisfies ShortRecord[];
    await expect(capture(database.db, ...list)).rejects.toMatchObject({ line: 2, field });
    const events = await database.db.engagementEvent.findMany();
    expect(events.map(({ key }) => key)).toEqual(['before']);
  },
);

test('a share link of another workspace is unknown', async () => {
  const link = uuid(30);
  const other = { companyId: 2 };
  await capture(
    database.db,
    { record: 'company', id: 2, name: 'Other' },
    { record: 'room', id: ROOM, name: 'x', ...other },
    { record: 'distribution', id: link, roomId: ROOM, recipientName: 'x', recipientEmail: null, ...other },
  );
  await expect(
    capture(database.db, {
      record: 'event',
      key: 'k',
      type: 't',
      occurredAt: '2026-01-01',
      distributionId: link,
    }),
  ).rejects.toMatchObject({ field: 'distributionId' });
});

test('a view of 2^31 seconds or more is rejected, and shorter ones add up beyond that', async () => {
  const long = [0, 999_999_999] as [number, number];
  const view = {
    record: 'view',
    key: 'long',
    distributionId: LINK,
    startedAt: '2026-09-02',
    endedAt: '2026-09-02',
  } as const;
  const segments = [long, long];
  expect(() => capture(database.db, { ...view, segments: [[0, 1_000_000_000]] })).toThrow('<=999999999');
  expect(() => capture(database.db, { ...view, segments: [...segments, long] })).toThrow(
    'expected fewer than 2^31',
  );
  await capture(database.db, { ...view, segments }, { ...view, key: 'again', segments });
  const heatmap = await findHeatmap(database.db, COMPANY, LINK);
  expect(heatmap?.watchSeconds).toBe(3_999_999_996);
  const metrics = await findRoomMetrics(database.db, COMPANY, ROOM, new Date());
  expect(metrics?.totals.watchSeconds).toBe(3_999_999_996);
});

test('a summary is rejected until its call is completed', async () => {
  const call = {
    record: 'call',
    id: uuid(30),
    kind: 'demo',
    occurredAt: '2026-09-01',
    ownerId: 7,
  } as const;
  await capture(database.db, { ...call, status: 'processing' });
  const summary = { record: 'callSummary', callId: uuid(30), summary: {} } as const;
  await expect(capture(database.db, summary)).rejects.toThrow(
    'expected a completed call, but its status is processing',
  );
  await capture(database.db, { ...call, status: 'completed' }, summary);
});

test('a document cannot move to another room or be opened through a link of another room', async () => {
  await capture(database.db, { record: 'room', id: uuid(40), name: 'Initech' });
  const moved = {
    record: 'document',
    id: DOCUMENT,
    roomId: uuid(40),
    title: 'Pricing',
    category: 'pricing',
  } as const;
  await expect(capture(database.db, moved)).rejects.toMatchObject({ field: 'roomId' });
  const link = {
    record: 'distribution',
    id: uuid(41),
    roomId: uuid(40),
    recipientName: 'x',
    recipientEmail: null,
  } as const;
  await capture(database.db, link);
  await expect(
    capture(database.db, {
      record: 'event',
      key: 'k',
      type: 't',
      occurredAt: '2026-01-01',
      distributionId: uuid(41),
      docId: DOCUMENT,
    }),
  ).rejects.toMatchObject({ field: 'docId' });
});

test('a record of an unknown workspace is rejected', async () => {
  const record = captureRecord.parse({
    record: 'user',
    companyId: 77,
    id: 1,
    name: 'x',
    email: 'x@x.example',
  });
  await expect(captureRecords(database.db, [record])).rejects.toMatchObject({
    field: 'companyId',
    line: 1,
  });
});

describe('a record dated ahead of the server', () => {
  const MARGIN_MS = 600_000;
  const event = (occurredAt: Date, distributionId = LINK): ShortRecord => ({
    record: 'event',
    key: occurredAt.toISOString(),
    type: 'comment',
    occurredAt: occurredAt.toISOString(),
    distributionId,
  });
  const view = (startedAt: Date, endedAt: Date): ShortRecord => ({
    record: 'view',
    key: `${startedAt.toISOString()} ${endedAt.toISOString()}`,
    distributionId: LINK,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    segments: [],
  });
  const message = (sentAt: Date, side: 'prospect' | 'seller'): ShortRecord => ({
    record: 'message',
    key: sentAt.toISOString(),
    roomId: ROOM,
    side,
    sentAt: sentAt.toISOString(),
  });
  /** Sets the feed clock, so that the reading of the next transaction is known. */
  async function setClock(): Promise<Date> {
    const next = new Date(Date.now() + 3_600_000);
    await database.db.feedClock.updateMany({ data: { at: new Date(next.getTime() - 1) } });
    return next;
  }

  const kinds: [string, string, (at: Date, now: Date) => ShortRecord][] = [
    ['event', 'occurredAt', (at) => event(at)],
    ['message of a prospect', 'sentAt', (at) => message(at, 'prospect')],
    ['message of a seller', 'sentAt', (at) => message(at, 'seller')],
    ['view that ends', 'endedAt', (at, now) => view(now, at)],
    ['view that begins', 'startedAt', (at) => view(at, at)],
  ];
  test.each(kinds)(
    '%s: is recorded up to ten minutes ahead, and rejected with the server time one millisecond later',
    async (_name, field, recordAt) => {
      const sound = await setClock();
      await capture(database.db, recordAt(new Date(sound.getTime() + MARGIN_MS), sound));
      const now = await setClock();
      const ahead = recordAt(new Date(now.getTime() + MARGIN_MS + 1), now);
      const problem = `must be at most 10 minutes ahead of the time of the server, which is ${now.toISOString()}`;
      await expect(capture(database.db, ahead)).rejects.toMatchObject({
        line: 1,
        errors: expect.arrayContaining([{ field, message: problem }]),
      });
    },
  );
});
