import type { FoundObject } from '@deal-signals/serializers/console/search';
import { capture, CALL, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addDelivery, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { NEIGHBOUR_ID, NEIGHBOUR_INTEGER, plantNeighbour } from '@deal-signals/test-kit/worlds/neighbour';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
let endpointId: number;

beforeAll(async () => {
  api = await openTestApi();
  await captureWorkspace(api.db);
  await capture(
    api.db,
    { record: 'room', id: uuid(10), name: 'Acme Health GmbH' },
    { record: 'room', id: uuid(11), name: 'Acmeville Heating' },
    { record: 'room', id: uuid(12), name: 'Åcme – (Health)' },
    {
      record: 'call',
      id: uuid(20),
      kind: 'demo',
      occurredAt: '2026-09-02',
      ownerId: 7,
      prospectName: 'Acme Health',
    },
    { record: 'member', roomId: uuid(11), email: 'ann.lee@acme-health.example', name: 'Zoë Müller' },
  );
  endpointId = await addEndpoint(api.db, { description: 'the CRM' });
  await plantNeighbour(api.db, 2);
});

afterAll(() => api.close());

async function search(q: string, more = ''): Promise<FoundObject[]> {
  const { body } = await api
    .get(`/console/api/search?q=${encodeURIComponent(q)}${more}`, sessionToken())
    .expect(200);
  return body.data;
}
const titles = async (q: string) => (await search(q)).map(({ kind, title }) => `${kind}: ${title}`);

test('parts of words find rooms, calls and people, in any order and any case', async () => {
  for (const q of ['acm hea', 'HEA acm', '  hea, Acm ', 'CME hea']) {
    expect((await titles(q)).toSorted()).toEqual([
      'call: Acme Health',
      'person: Zoë Müller',
      'room: Acme Health GmbH',
      'room: Acmeville Heating',
      'room: Åcme – (Health)',
    ]);
  }
  expect(await titles('acm hea gmb')).toEqual(['room: Acme Health GmbH']);
  expect(await titles('acm nobody')).toEqual([]);
  // One of the words alone would find the room.
  expect(await titles('glob heal')).toEqual([]);
  // Words of fewer than three letters must match the beginning of a word.
  expect(await titles('me')).toEqual([]);
  expect(await titles('gm')).toEqual(['room: Acme Health GmbH']);
  expect(await titles('z')).toEqual(['person: Zoë Müller']);
  expect(await titles('–')).toEqual([]);
  expect(await titles('ac%')).toEqual(await titles('ac'));
  expect(await titles('a_me')).toEqual([]);
});

test('whole words come before beginnings before other parts, rooms before calls before people, then the newest', async () => {
  await capture(api.db, { record: 'room', id: uuid(12), status: 'won' });
  expect(await titles('acme health')).toEqual([
    'room: Åcme – (Health)',
    'room: Acme Health GmbH',
    'call: Acme Health',
    'person: Zoë Müller',
  ]);
  await capture(api.db, { record: 'room', id: uuid(10), status: 'won' });
  expect(await titles('acme h')).toEqual([
    'room: Acme Health GmbH',
    'room: Åcme – (Health)',
    'call: Acme Health',
    'person: Zoë Müller',
    'room: Acmeville Heating',
  ]);
  expect(await search('acme', '&limit=1')).toHaveLength(1);
  await capture(api.db, { record: 'room', id: uuid(15), name: 'Nacme' });
  expect((await titles('acme')).at(-1)).toBe('room: Nacme');
});

test('common matches do not hide those with the whole word or its beginning', async () => {
  await addCompany(api.db, 3);
  await api.db.$executeRaw`
    INSERT INTO rooms (company_id, id, name, created_at, last_activity_at, object_text)
    SELECT 3, gen_random_uuid(), CASE WHEN n = 2600 THEN 'An Ann' WHEN n = 2599 THEN 'Anne' WHEN n < 1300 THEN 'Hannah' ELSE 'Joanna' END,
           now(), timestamptz '2026-09-01' - n * interval '1 second', '{}'
    FROM generate_series(1, 2600) AS n`;
  await rollUp(api.db);
  const { body } = await api.get('/console/api/search?q=ann', sessionToken({ companyId: 3 })).expect(200);
  expect(body.data.map(({ title }: FoundObject) => title).slice(0, 3)).toEqual(['An Ann', 'Anne', 'Hannah']);
  expect(body.data).toHaveLength(20);
});

test.each([
  ['σοφος', 'ΣΟΦΟΣ', 'room: ΣΟΦΟΣ'],
  ['ΣΟΦΟΣ', 'Σοφός', 'room: Σοφός'],
  ['STRASSE', 'Große Straße', 'room: Große Straße'],
  ['straße', 'STRASSENBAU', 'room: STRASSENBAU'],
  ['istanbul', 'İSTANBUL Isı', 'room: İSTANBUL Isı'],
  ['ISI', 'Isı', 'room: Isı'],
  ['lodz', 'Łódź', 'room: Łódź'],
  ['ŁÓDŹ', 'Lodzki', 'room: Lodzki'],
  ['smorrebrod', 'Smørrebrød', 'room: Smørrebrød'],
  ['finance', 'ﬁnance ＬＬＣ', 'room: ﬁnance ＬＬＣ'],
  ['北京公', '北京公司', 'room: 北京公司'],
  ['京公司', '北京公司', 'room: 北京公司'],
  ['हिन्दी', 'हिन्दी भवन', 'room: हिन्दी भवन'],
])('"%s" finds "%s"', async (q, name, found) => {
  await capture(api.db, { record: 'room', id: uuid(16), name });
  expect(await titles(q)).toEqual([found]);
});

test('a person is found by name and by address, with or without accents, together with the room', async () => {
  for (const q of ['Zoë', 'zoe mul', 'ann.lee@acme-health.example', 'lee']) {
    expect(await search(q)).toEqual([
      {
        kind: 'person',
        id: expect.any(String),
        title: 'Zoë Müller',
        subtitle: 'ann.lee@acme-health.example · Acmeville Heating',
        roomId: uuid(11),
        callId: null,
        email: 'ann.lee@acme-health.example',
      },
    ]);
  }
});

test('a renamed object is found only by its new name, and one that is deleted by hand is not found after a rebuild', async () => {
  await capture(
    api.db,
    { record: 'room', id: uuid(13), name: 'Old Kettle Works' },
    { record: 'call', id: uuid(21), kind: 'demo', occurredAt: '2026-09-02', ownerId: 7, title: 'Old kettle' },
    { record: 'member', roomId: uuid(13), email: 'k@k.example', name: 'Old Kettleman' },
  );
  expect(await titles('kettle')).toEqual([
    'room: Old Kettle Works',
    'call: Old kettle',
    'person: Old Kettleman',
  ]);
  await capture(
    api.db,
    { record: 'room', id: uuid(13), name: 'Old Teapot Works' },
    { record: 'call', id: uuid(21), title: 'Old teapot' },
    { record: 'member', roomId: uuid(13), email: 'k@k.example', name: 'Old Teapotman' },
  );
  expect(await titles('kettle')).toEqual([]);
  expect(await titles('teapot old')).toEqual([
    'room: Old Teapot Works',
    'call: Old teapot',
    'person: Old Teapotman',
  ]);
  expect(await api.db.searchName.count({ where: { name: { contains: 'kettle' } } })).toBe(0);
  await api.db.call.deleteMany({ where: { id: uuid(21) } });
  await rollUp(api.db);
  expect(await titles('teapot old')).toEqual(['room: Old Teapot Works', 'person: Old Teapotman']);
  expect(await api.db.searchName.count({ where: { objectId: uuid(21) } })).toBe(0);
});

test('indexes the first 1,000 characters of a name, and uses the first 12 words of a search', async () => {
  await capture(api.db, { record: 'room', id: uuid(14), name: `${'x'.repeat(994)} kept1 cut` });
  expect(await search('kept1')).toHaveLength(1);
  expect(await search('cut')).toHaveLength(0);
  const twelve = Array.from({ length: 12 }, (_, n) => 'x'.repeat(n + 3)).join(' ');
  expect(await search(twelve)).toHaveLength(1);
  expect(await search(`${twelve} cut`)).toHaveLength(1);
  expect(await search(`cut ${twelve}`)).toHaveLength(0);
});

test('activity in a room does not change the names', async () => {
  const names = () =>
    api.db.$queryRaw`SELECT name, xmin::text FROM search_names WHERE object_id = ${ROOM}::uuid`;
  const before = await names();
  expect(before).toEqual([{ name: ' globex ', xmin: expect.any(String) }]);
  await capture(
    api.db,
    { record: 'event', key: 'a', type: 'room_visit', occurredAt: '2026-09-03', distributionId: LINK },
    { record: 'room', id: ROOM, status: 'won' },
  );
  expect(await names()).toEqual(before);
});

test('a pasted id finds its object', async () => {
  const deliveryId = await addDelivery(api.db, endpointId);
  const { eventId } = await api.db.delivery.findFirstOrThrow({ where: { id: deliveryId } });
  const person = await api.db.person.findFirstOrThrow({
    where: { roomId: ROOM, email: 'bob@globex.example' },
  });
  const link = `https://app.example/rooms/${ROOM.toUpperCase()}?tab=1`;
  expect(await search(link)).toMatchObject([{ kind: 'room', id: ROOM, title: 'Globex', roomId: ROOM }]);
  expect(await search(CALL)).toMatchObject([
    { kind: 'call', title: 'First demo', roomId: ROOM, callId: CALL },
  ]);
  expect(await search(person.id)).toMatchObject([
    { kind: 'person', title: 'Bob', email: 'bob@globex.example' },
  ]);
  expect(await search(LINK)).toMatchObject([
    { kind: 'share_link', title: 'Bob', roomId: ROOM, callId: CALL },
  ]);
  expect(await search(eventId)).toMatchObject([{ kind: 'event', id: eventId, title: 'engagement.recorded' }]);
  expect(await search(eventId.replaceAll('-', ''))).toMatchObject([{ kind: 'event', id: eventId }]);
  expect(await search(String(deliveryId))).toMatchObject([{ kind: 'delivery', id: String(deliveryId) }]);
  expect(await search(`#${endpointId}`)).toMatchObject([{ kind: 'endpoint', title: 'the CRM' }]);
});

test('finds nothing of a neighbour', async () => {
  for (const q of [NEIGHBOUR_ID, String(NEIGHBOUR_INTEGER), 'of the neighbour', 'neighbour']) {
    expect(await search(q)).toEqual([]);
  }
  const { body } = await api
    .get('/console/api/search?q=neighbour', sessionToken({ companyId: 2 }))
    .expect(200);
  expect(body.data.map(({ kind }: FoundObject) => kind)).toEqual([
    'room',
    'call',
    'person',
    'person',
    'person',
  ]);
});

test.each(['', 'q=', 'q=%20', `q=${'x'.repeat(201)}`, 'q=a&q=b', 'q=a%00', 'q=a&limit=0', 'q=a&limit=21'])(
  'rejects the query "%s"',
  async (query) => {
    const { body } = await api.get(`/console/api/search?${query}`, sessionToken()).expect(400);
    expect(body.code).toBe('INVALID_REQUEST');
  },
);
