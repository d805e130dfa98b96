import { CALL, DOCUMENT, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { captureBatch, type BatchOptions } from '../src/transaction/capture-batch.ts';
import type { Entry } from '../src/records/entry.ts';
import { parseRecord } from '../src/records/parse-record.ts';
import { writeCompany } from '../src/writers/company.ts';
import { capturedDatabase } from './captured-database.ts';
import { eventsInOrder, everything, snapshot } from './records.ts';

const database = capturedDatabase();

/** Captures records in one transaction. */
function captureTogether(records: readonly ShortRecord[], options?: BatchOptions) {
  const entries = records.map((record, n): Entry => ({
    line: n + 1,
    record: parseRecord({ companyId: COMPANY, ...record }, n + 1, { lenient: false }),
  }));
  return captureBatch(database.db, COMPANY, entries, options);
}

const event = (key: string): ShortRecord => ({
  record: 'event',
  key,
  type: 'room_visit',
  occurredAt: '2026-09-02',
  distributionId: LINK,
});
const message = (key: string): ShortRecord => ({
  record: 'message',
  key,
  roomId: ROOM,
  side: 'prospect',
  sentAt: '2026-09-02',
});
const contract = (id: string, status: 'sent' | 'viewed' = 'sent'): ShortRecord => ({
  record: 'esign',
  id,
  roomId: ROOM,
  vendor: 'v',
  envelopeId: 'e',
  status,
});

describe('a batch assigns ids in the order of its records', () => {
  test('to events and messages', async () => {
    await captureTogether([event('1'), message('2'), event('3'), message('4'), message('5'), event('6')]);
    const events = await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } });
    expect(events.map(({ source, key }) => `${source} ${key}`)).toEqual([
      'event 1',
      'message 2',
      'event 3',
      'message 4',
      'message 5',
      'event 6',
    ]);
  });

  test('to deliveries of every cause', async () => {
    await addEndpoint(database.db);
    const second = uuid(20);
    const call = { kind: 'demo', occurredAt: '2026-09-01', ownerId: 7 } as const;
    await captureTogether([
      { record: 'call', id: second, ...call },
      contract('a'),
      event('b'),
      contract('c'),
      message('d'),
      { record: 'callSummary', callId: second, summary: { headline: 'e' } },
      { record: 'callSummary', callId: CALL, summary: { headline: 'f' } },
      { record: 'room', id: ROOM, status: 'won' },
      event('h'),
      // An object is announced once, at the position of its last change.
      contract('a', 'viewed'),
    ]);
    expect(
      (await eventsInOrder(database.db)).map(({ body }) => {
        const { data } = JSON.parse(body) as { data: Record<string, never> };
        const { document, summary, type, status } = data as Record<string, { id: string; headline: string }>;
        return document?.id ?? summary?.headline ?? type ?? status;
      }),
    ).toEqual(['e', 'room_visit', 'c', 'message', 'e', 'f', 'won', 'room_visit', 'a']);
  });
});

describe('a batch counts', () => {
  test('changed and unchanged records separately', async () => {
    const counts = await captureTogether(everything);
    expect(counts).toMatchObject({ captured: everything.length, unchanged: 0 });
    expect(await captureTogether(everything)).toMatchObject({ captured: 0, unchanged: everything.length });
    expect(
      await captureTogether([
        ...everything,
        event('new'),
        message('new'),
        { record: 'user', id: 8, name: 'Sue', email: 'sue@acme.example' },
        { record: 'room', id: uuid(9), name: 'Initech' },
        { record: 'document', id: DOCUMENT, title: 'Prices' },
        { record: 'document', id: DOCUMENT, title: 'Prices' },
      ]),
    ).toMatchObject({ captured: 5, unchanged: everything.length + 1 });
  });

  test('a reverted change as unchanged', async () => {
    await addEndpoint(database.db);
    const before = await snapshot(database.db);
    const changes: ShortRecord[] = [
      { record: 'room', id: ROOM, status: 'won' },
      { record: 'room', id: ROOM, status: 'open' },
    ];
    expect(await captureTogether(changes)).toMatchObject({ captured: 0, unchanged: 2 });
    expect(await snapshot(database.db)).toEqual(before);
  });

  test('a record of the workspace that equals the stored row as unchanged', async () => {
    const write = (record: object) =>
      writeCompany(database.db, {
        line: 1,
        record: parseRecord({ record: 'company', id: COMPANY, ...record }, 1, { lenient: false }) as never,
      });
    expect(await write({ name: 'Acme' })).toBe(false);
    expect(await write({ apiEnabled: null })).toBe(false);
    expect(await write({ apiEnabled: false })).toBe(true);
    expect(await write({ apiEnabled: false })).toBe(false);
    expect(await write({ name: 'Acme Corp' })).toBe(true);
  });
});

test('a batch without webhooks writes the same rows and feed positions, but records no webhook', async () => {
  await addEndpoint(database.db);
  const before = await snapshot(database.db);
  const counts = await captureTogether(everything, { noWebhooks: true });
  expect(counts).toMatchObject({ captured: everything.length });
  const after = await snapshot(database.db);
  expect(after.deliveries).toEqual([]);
  expect(await database.db.webhookEvent.count()).toBe(0);
  expect(after.events.map(({ key }) => key)).toEqual(['e1', 'e2', 'm1']);
  expect(after.rooms[0]?.lastActivityAt.getTime()).toBeGreaterThan(
    before.rooms[0]?.lastActivityAt.getTime() ?? 0,
  );
  // The changes are not announced later either.
  await captureTogether(everything);
  expect(await database.db.webhookEvent.count()).toBe(0);
});

test('a batch of many rows of one kind inserts and updates each as its record states', async () => {
  const rooms = Array.from({ length: 300 }, (_, n) => n);
  const records = (generation: string, from: number): ShortRecord[] =>
    rooms
      .slice(from)
      .flatMap((n): ShortRecord[] => [
        { record: 'document', id: uuid(1_000 + n), roomId: ROOM, title: `${generation} ${n}`, category: 'c' },
        {
          record: 'actionItem',
          id: uuid(2_000 + n),
          roomId: ROOM,
          title: `${generation} ${n}`,
          dueDate: '2026-10-01',
          completedAt: n % 2 === 0 ? '2026-09-05T10:00:00.123Z' : null,
          completedBy: n % 2 === 0 ? 'seller' : null,
        },
        { record: 'member', roomId: ROOM, name: `Member ${n}`, title: `${generation} ${n}` },
        { record: 'user', id: 100 + n, name: `${generation} ${n}`, email: `u${n}@acme.example` },
        {
          ...contract(`contract ${n}`),
          subject: `${generation} ${n}`,
          sentAt: '2026-09-05T10:00Z',
        } as ShortRecord,
      ])
      .toSorted((a, b) => a.record.localeCompare(b.record));
  await captureTogether(records('old', 150));
  expect(await captureTogether(records('new', 0))).toMatchObject({ captured: 1_500, unchanged: 0 });
  const expected = new Set(rooms.map((n) => `new ${n}`));
  const { db } = database;
  const documents = await db.document.findMany({ where: { category: 'c' } });
  expect(new Set(documents.map(({ title }) => title))).toEqual(expected);
  expect(new Set((await db.roomMember.findMany()).map(({ title }) => title))).toEqual(expected);
  const users = await db.user.findMany({ where: { id: { gte: 100 } } });
  expect(new Set(users.map(({ name }) => name))).toEqual(expected);
  expect(new Set((await db.esignDocument.findMany()).map(({ subject }) => subject))).toEqual(expected);
  const items = await db.actionItem.findMany({ orderBy: { id: 'asc' } });
  expect(items.map(({ title }) => title)).toEqual(rooms.map((n) => `new ${n}`));
  expect(items.slice(0, 2)).toMatchObject([
    {
      dueDate: new Date('2026-10-01'),
      completedAt: new Date('2026-09-05T10:00:00.123Z'),
      completedBy: 'seller',
    },
    { dueDate: new Date('2026-10-01'), completedAt: null, completedBy: null },
  ]);
});
