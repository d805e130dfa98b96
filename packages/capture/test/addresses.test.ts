import { occurrences } from '@deal-signals/test-kit/occurrences';
import { recordChecker } from '@deal-signals/test-kit/record-checker';
import { capture, CALL, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { email } from '../src/records/email.ts';
import { finishErasures } from '../src/erasures/keep-erasing.ts';
import { captureJsonSchema } from '../src/records/json-schema.ts';
import { capturedDatabase } from './captured-database.ts';

// The product accepts every address that a mail system may deliver to, and can erase it wherever it may appear.

const database = capturedDatabase();

/** Each address contains `zqx` in its stored form. */
const ADDRESSES = [
  'r&d.zqx@example.com',
  'info@zqx.xn--e1afmkfd.xn--p1ai',
  'sales/emea=zqx?%{}|~`$!#*^@example.com',
  'jörg.zqx@example.com',
  'zqx@例子.广告',
  'a..zqx@docomo.ne.jp',
  '.zqx.@docomo.ne.jp',
  '"zqx, (the) [one]"@example.com',
  String.raw`"zqx\"q\\uote"@example.com`,
  "o'neil-zqx+tag_1@sub.example.co.uk",
  'zqx@localhost',
  'zqx@[192.0.2.1]',
  'zqx@[IPv6:2001:db8::1]',
  '😀.zqx@example.com',
  'zqx@erased.invalid',
];

/** Records with an address in every position where one may appear. */
const everywhere = (address: string): ShortRecord[] => [
  { record: 'room', id: ROOM, primaryContactEmail: address },
  { record: 'member', roomId: ROOM, email: address, name: 'Zoë Berg' },
  { record: 'distribution', id: LINK, recipientName: 'Zoë Berg', recipientEmail: address },
  { record: 'call', id: CALL, participants: [{ name: 'Zoë', email: address }] },
  { record: 'callSummary', callId: CALL, summary: { headline: `Write to ${address}!` } },
  {
    record: 'event',
    key: 'e1',
    type: 'forward',
    occurredAt: '2026-09-02',
    distributionId: LINK,
    metadata: { to: [{ name: 'Zoë', email: address }], note: `Write to ${address}!` },
  },
  {
    record: 'view',
    key: 'v1',
    distributionId: LINK,
    startedAt: '2026-09-02T10:00:00Z',
    endedAt: '2026-09-02T10:05:00Z',
  },
];

test.each(ADDRESSES)('%s is captured in every position and erased from all of them', async (address) => {
  await addEndpoint(database.db, { events: ['*'] });
  await capture(database.db, ...everywhere(address));
  expect((await occurrences(database.db, 'zqx')).length).toBeGreaterThan(6);
  const people = await database.db.person.findMany({ where: { email: address.toLowerCase() } });
  expect(people.map(({ name }) => name)).toEqual(['Zoë Berg']);
  await capture(database.db, { record: 'erasePerson', email: address });
  await finishErasures(database.db);
  expect(await occurrences(database.db, 'zqx')).toEqual([]);
});

test.each([
  ['R&D.ZQX@Example.com', 'r&d.zqx@example.com'],
  ['JÖRG.ZQX@EXAMPLE.COM', 'jörg.zqx@example.com'],
  ['jo\u0308rg.zqx@example.com', 'jörg.zqx@example.com'],
])('%s is the same person as %s', async (address, other) => {
  await capture(database.db, ...everywhere(address));
  await capture(
    database.db,
    { record: 'member', roomId: ROOM, email: other, role: 'Champion' },
    { record: 'distribution', id: uuid(70), roomId: ROOM, recipientName: 'Z. B.', recipientEmail: other },
  );
  const people = await database.db.person.findMany({ where: { email: { contains: 'zqx' } } });
  expect(people).toMatchObject([{ email: other, role: 'Champion', inCommittee: true }]);
  await capture(database.db, { record: 'erasePerson', email: address });
  await finishErasures(database.db);
  const links = await database.db.distribution.findMany({ where: { id: { in: [LINK, uuid(70)] } } });
  expect(links.map(({ recipientEmail }) => recipientEmail)).toEqual([null, null]);
  expect(new Set(links.map(({ identity }) => identity)).size).toBe(1);
  expect(await occurrences(database.db, 'zqx')).toEqual([]);
});

test('an address is stored as it was sent, except that non-ASCII letters become lower case and composed', () => {
  expect(email.parse('Bob.Weiß@Example.com')).toBe('bob.weiß@example.com');
  expect(email.parse('Bob@Example.com')).toBe('Bob@Example.com');
  expect(email.parse('JO\u0308RG@ÖBB.example')).toBe('jörg@öbb.example');
});

describe('an address that no mail system delivers to is rejected:', () => {
  test.each([
    '',
    'a',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@exa mple.com',
    'a@b@example.com',
    'a@example..com',
    'a@.example.com',
    'a@example.com.',
    'a,b@example.com',
    'a@example.com,b@example.com',
    'Ann <a@example.com>',
    'mailto:a@example.com',
    'a\u0000@example.com',
    'a\n@example.com',
    'a\u00a0b@example.com',
    'a\u2028@example.com',
    '"a@example.com',
    '"a"b"@example.com',
    '"a\n"@example.com',
    'a@[b c]',
    'a\ud800@example.com',
    'a＠example.com',
  ])('%j', (address) => {
    expect(email.safeParse(address).success).toBe(false);
  });
});

test('the JSON Schema accepts every address', () => {
  const isValid = recordChecker(captureJsonSchema());
  for (const address of ADDRESSES) {
    const records = [...everywhere(address), { record: 'erasePerson', email: address }];
    const refused = records.filter((record) => !isValid({ companyId: COMPANY, ...record }));
    expect([address, refused]).toEqual([address, []]);
  }
});

test('an address of any length is checked in linear time', () => {
  const timeOf = (length: number) => {
    const startMs = performance.now();
    for (const part of ['a', 'a@', 'a.', '"\\a', 'a@b.', 'ä'])
      email.safeParse(part.repeat(length / part.length));
    return performance.now() - startMs;
  };
  timeOf(1_000);
  // Ten times the length takes ten times as long, or a hundred times if the time is quadratic.
  expect(timeOf(2_000_000)).toBeLessThan(50 * timeOf(200_000) + 100);
});
