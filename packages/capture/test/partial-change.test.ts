import type { Database } from '@deal-signals/db/database';
import { createTestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  CALL,
  capture,
  captureWorkspace,
  DOCUMENT,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { KINDS } from '../src/records/record.ts';
import { capturedDatabase } from './captured-database.ts';
import { recordedTypes, snapshot } from './records.ts';

const database = capturedDatabase();

const ITEM = { record: 'actionItem', id: uuid(6), roomId: ROOM, title: 'Review' } as const;
const CONTRACT = {
  record: 'esign',
  id: 'c',
  roomId: ROOM,
  vendor: 'v',
  envelopeId: 'e',
  status: 'sent',
} as const;

/** For each kind with an id: the change, and the equivalent full record. */
const changes: [ShortRecord, ShortRecord][] = [
  [
    { record: 'company', id: COMPANY, apiEnabled: false },
    { record: 'company', id: COMPANY, name: 'Acme', apiEnabled: false },
  ],
  [
    { record: 'user', id: 7, name: 'Anna' },
    { record: 'user', id: 7, name: 'Anna', email: 'ann@acme.example' },
  ],
  [
    { record: 'room', id: ROOM, status: 'won' },
    { record: 'room', id: ROOM, name: 'Globex', status: 'won' },
  ],
  [
    { record: 'call', id: CALL, durationSeconds: 60 },
    {
      record: 'call',
      id: CALL,
      kind: 'demo',
      occurredAt: '2026-09-01T10:00Z',
      ownerId: 7,
      durationSeconds: 60,
    },
  ],
  [
    { record: 'distribution', id: LINK, recipientName: 'Robert' },
    {
      record: 'distribution',
      id: LINK,
      roomId: ROOM,
      recipientName: 'Robert',
      recipientEmail: 'bob@globex.example',
    },
  ],
  [
    { record: 'document', id: DOCUMENT, title: 'Prices' },
    { record: 'document', id: DOCUMENT, roomId: ROOM, title: 'Prices', category: 'pricing' },
  ],
  [
    { record: 'actionItem', id: ITEM.id, completedAt: '2026-09-05', completedBy: 'prospect' },
    { ...ITEM, completedAt: '2026-09-05', completedBy: 'prospect' },
  ],
  [
    { record: 'esign', id: 'c', status: 'viewed' },
    { ...CONTRACT, status: 'viewed' },
  ],
];

/** Returns everything that a change can affect, without values that differ between two databases. */
async function outcome(db: Database) {
  const { deliveries, ...rows } = await snapshot(db);
  const everything = {
    ...rows,
    companies: await db.company.findMany(),
    users: await db.user.findMany(),
    links: await db.distribution.findMany(),
    documents: await db.document.findMany(),
    types: deliveries.map(({ eventType }) => eventType),
  };
  const moments = [...rows.rooms.map((row) => row.lastActivityAt), ...rows.calls.map((row) => row.updatedAt)];
  const order = [...new Set(moments.map(Number))].toSorted((a, b) => a - b);
  return JSON.parse(
    JSON.stringify(everything, (field, value: unknown) => {
      if (field === 'lastActivityAt' || field === 'updatedAt')
        return order.indexOf(Date.parse(value as string));
      if (field === 'createdAt') return null;
      if (field === 'objectText') return String(value).replace(/"createdAt":"[^"]*"/, '');
      return typeof value === 'bigint' ? String(value) : value;
    }),
  ) as unknown;
}

test('every kind whose new rows require more fields has a case', () => {
  const kinds = Object.entries(KINDS).flatMap(([kind, { newRow }]) => (newRow ? [kind] : []));
  expect(changes.map(([{ record }]) => record).toSorted()).toEqual(kinds.toSorted());
});

test.each(changes.map(([change, full]) => [change.record, change, full] as const))(
  'a record of the kind %s with the id and a changed field has the effects of the full record',
  async (_kind, change, full) => {
    const other = await createTestDatabase();
    try {
      await captureWorkspace(other.db);
      for (const [{ db }, record] of [
        [database, change],
        [other, full],
      ] as const) {
        await addEndpoint(db);
        await capture(db, ITEM, CONTRACT);
        const before = await outcome(db);
        await capture(db, record);
        expect(await outcome(db)).not.toEqual(before);
      }
      expect(await outcome(database.db)).toEqual(await outcome(other.db));
    } finally {
      await other.drop();
    }
  },
);

describe('a partial record of a row that does not exist', () => {
  test.each<[ShortRecord, string[]]>([
    [{ record: 'company', id: 99, apiEnabled: false }, ['name']],
    [{ record: 'user', id: 99 }, ['name', 'email']],
    [{ record: 'room', id: uuid(99), status: 'won' }, ['name']],
    [{ record: 'call', id: uuid(99), title: 'x' }, ['kind', 'occurredAt', 'ownerId']],
    [{ record: 'distribution', id: uuid(99) }, ['roomId', 'recipientName', 'recipientEmail']],
    [{ record: 'distribution', id: uuid(99), recipientEmail: null }, ['roomId', 'recipientName']],
    [{ record: 'document', id: uuid(99) }, ['roomId', 'title', 'category']],
    [{ record: 'actionItem', id: uuid(99) }, ['roomId', 'title']],
    [{ record: 'esign', id: 'x', status: 'sent' }, ['roomId', 'vendor', 'envelopeId']],
  ])('is rejected with all missing fields: %j', async (record, fields) => {
    await expect(capture(database.db, ITEM, record)).rejects.toMatchObject({
      line: 2,
      errors: fields.map((field) => ({ field, message: 'required, because this is a new row' })),
    });
  });

  test('is rejected with its other errors as well', async () => {
    await expect(
      capture(database.db, { record: 'room', id: uuid(99), ownerId: 99, sourceCallId: uuid(98) }),
    ).rejects.toMatchObject({
      errors: [{ field: 'ownerId' }, { field: 'sourceCallId' }, { field: 'name' }],
    });
  });

  test('of another workspace is a new row', async () => {
    await capture(database.db, { record: 'company', id: 2, name: 'Other' });
    const record = { record: 'room', companyId: 2, id: ROOM, status: 'won' } as ShortRecord;
    await expect(capture(database.db, record)).rejects.toMatchObject({ errors: [{ field: 'name' }] });
  });
});

test('a partial record can follow the record of the new row in the same batch', async () => {
  await addEndpoint(database.db);
  await capture(
    database.db,
    { record: 'room', id: uuid(9), name: 'Initech' },
    { record: 'room', id: uuid(9), status: 'lost' },
    { record: 'room', id: uuid(9), slug: 'initech' },
  );
  expect(await database.db.room.findFirst({ where: { id: uuid(9) } })).toMatchObject({
    name: 'Initech',
    status: 'lost',
    slug: 'initech',
  });
  expect(await recordedTypes(database.db)).toEqual(['decision_room.created']);
});

test('a partial record without changed fields changes nothing', async () => {
  const before = await snapshot(database.db);
  await capture(database.db, { record: 'room', id: ROOM }, { record: 'call', id: CALL });
  expect(await snapshot(database.db)).toEqual(before);
});

describe('null', () => {
  const room = () => database.db.room.findFirstOrThrow({ where: { id: ROOM } });
  const item = () => database.db.actionItem.findFirstOrThrow();

  test('returns a field to its default', async () => {
    await capture(database.db, { record: 'room', id: ROOM, status: 'won', createdAt: '2020-01-01' });
    await capture(database.db, { record: 'room', id: ROOM, status: null, createdAt: null });
    expect(await room()).toMatchObject({ status: 'open', createdAt: new Date('2020-01-01') });
  });

  test('as completedAt clears completedBy as well', async () => {
    const done = { completedAt: '2026-09-05', completedBy: 'seller' } as const;
    await capture(database.db, { ...ITEM, ...done });
    await capture(database.db, { record: 'actionItem', id: ITEM.id, completedAt: null });
    expect(await item()).toMatchObject({ completedAt: null, completedBy: null });
    await expect(
      capture(database.db, { ...ITEM, completedAt: null, completedBy: 'seller' }),
    ).rejects.toMatchObject({ errors: [{ field: 'completedBy', message: 'requires completedAt' }] });
  });
});
