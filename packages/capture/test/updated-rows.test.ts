import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  capture,
  captureWorkspace,
  DOCUMENT,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

let database: TestDatabase;

const contract = (status: 'sent' | 'viewed', subject: string | null = null): ShortRecord => ({
  record: 'esign',
  id: 'contract-1',
  roomId: ROOM,
  vendor: 'penandink',
  envelopeId: 'env-1',
  status,
  subject,
});
const member = (role: string): ShortRecord => ({
  record: 'member',
  roomId: ROOM,
  email: 'Zoe@globex.example',
  role,
});

beforeEach(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await capture(database.db, contract('sent'), member('Champion'));
});
afterEach(() => database.drop());

const link = () => database.db.distribution.findFirstOrThrow({ where: { id: LINK } });
const document = () => database.db.document.findFirstOrThrow();
const esign = () => database.db.esignDocument.findFirstOrThrow();
const personWith = (email: string) => database.db.person.findFirst({ where: { email } });
const zoe = () => database.db.person.findFirstOrThrow({ where: { email: 'zoe@globex.example' } });
const clock = async () => (await database.db.feedClock.findFirstOrThrow()).at;

/** An object of each feed: how to read its row, a change, and the reverse change. */
const OBJECTS: [string, () => Promise<{ updatedAt: Date }>, ShortRecord, ShortRecord][] = [
  [
    'a share link',
    link,
    { record: 'distribution', id: LINK, recipientName: 'Robert' },
    { record: 'distribution', id: LINK, recipientName: 'Bob' },
  ],
  [
    'a document',
    document,
    { record: 'document', id: DOCUMENT, title: 'New pricing' },
    { record: 'document', id: DOCUMENT, title: 'Pricing' },
  ],
  ['a contract', esign, contract('sent', 'Order form'), contract('sent')],
  ['a person', zoe, member('Economic buyer'), member('Champion')],
];

const elsewhere: ShortRecord = {
  record: 'event',
  key: 'e1',
  type: 'doc_open',
  occurredAt: '2026-09-02',
  distributionId: LINK,
  docId: DOCUMENT,
};

test.each(OBJECTS)(
  '%s gets the feed clock reading only when it changes',
  async (_name, read, change, opposite) => {
    const before = await read();
    // Captures the stored state again, and another change in its room.
    await capture(database.db, opposite, elsewhere);
    expect(await read()).toEqual(before);
    // A transaction that reverts its own change.
    await capture(database.db, change, opposite);
    expect(await read()).toEqual(before);

    await capture(database.db, change);
    const after = await read();
    expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
    expect(after.updatedAt).toEqual(await clock());
  },
);

test('a contract is pushed with the position that the feed shows', async () => {
  await database.db.webhookEndpoint.create({
    data: { companyId: COMPANY, url: 'https://example.com', events: ['*'], secretCiphertext: Buffer.of() },
  });
  await capture(database.db, contract('viewed'));
  const { body } = await database.db.webhookEvent.findFirstOrThrow();
  const { updatedAt } = await esign();
  expect(JSON.parse(body).data).toMatchObject({
    buyerSpaceId: ROOM,
    document: { buyerSpaceId: ROOM, status: 'viewed', updatedAt: updatedAt.toISOString() },
  });
});

describe('people', () => {
  const readdress = (recipientEmail: string | null, recipientName = 'Bob'): ShortRecord => ({
    record: 'distribution',
    id: LINK,
    recipientName,
    recipientEmail,
  });
  const visit: ShortRecord = {
    record: 'event',
    key: 'visit',
    type: 'room_visit',
    occurredAt: '2026-09-02',
    distributionId: LINK,
  };

  test('are the members of a room and the recipients of its links, merged by address', async () => {
    await capture(database.db, { record: 'member', roomId: ROOM, email: 'BOB@globex.example', title: 'CTO' });
    await capture(database.db, { record: 'member', roomId: ROOM, name: 'Omar' });
    await capture(database.db, {
      record: 'distribution',
      id: uuid(50),
      roomId: ROOM,
      recipientName: 'Front desk',
      recipientEmail: null,
    });
    const people = await database.db.person.findMany({ orderBy: { identity: 'asc' } });
    const shown = people.map(({ identity, email, name, role, title, inCommittee, removedAt }) => [
      identity,
      email,
      name,
      role,
      title,
      inCommittee,
      removedAt,
    ]);
    // The order of the database depends on its collation.
    expect(shown.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['email:bob@globex.example', 'bob@globex.example', 'Bob', null, 'CTO', true, null],
      ['email:eve@globex.example', 'eve@globex.example', 'Eve', null, null, false, null],
      ['email:zoe@globex.example', 'zoe@globex.example', null, 'Champion', null, true, null],
      [`link:${uuid(50)}`, null, 'Front desk', null, null, false, null],
      ['name:Omar', null, 'Omar', null, null, true, null],
    ]);
  });

  test('are removed, and come back, when an unused link is addressed to another person', async () => {
    const before = await personWith('bob@globex.example');
    await capture(database.db, readdress('carl@globex.example', 'Carl'));
    const at = await clock();
    expect(await personWith('bob@globex.example')).toEqual({ ...before, removedAt: at, updatedAt: at });
    expect(await personWith('carl@globex.example')).toMatchObject({ removedAt: null, updatedAt: at });
    await capture(database.db, readdress('bob@globex.example'));
    expect(await personWith('bob@globex.example')).toEqual({ ...before, updatedAt: await clock() });
  });

  test('stay if they did something through the link or are members', async () => {
    await capture(database.db, visit);
    await capture(database.db, readdress('zoe@globex.example', 'Zoe'));
    await capture(database.db, readdress(null, 'Front desk'));
    expect(await personWith('bob@globex.example')).toMatchObject({ removedAt: null });
    expect(await zoe()).toMatchObject({ removedAt: null, inCommittee: true });
    // A member can only be removed by hand, followed by a rebuild of the room's roll-ups.
    await database.db.roomMember.deleteMany();
    await database.db.$executeRaw`SELECT rebuild_room_roll_ups(${COMPANY}, ${[ROOM]}::uuid[])`;
    expect(await zoe()).toMatchObject({ removedAt: await clock(), inCommittee: false });
  });

  test('get the same ids when they are captured again', async () => {
    const ids = async () =>
      (await database.db.person.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
    const before = await ids();
    await database.db.person.deleteMany();
    await capture(database.db, member('Again'), readdress('bob@globex.example', 'B'));
    const [bob, again] = [await personWith('bob@globex.example'), await zoe()];
    expect(before).toEqual(expect.arrayContaining([bob?.id, again.id]));
    expect(again.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
