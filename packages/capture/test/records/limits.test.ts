import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  capture,
  captureWorkspace,
  CALL,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { captureRecords } from '../../src/stream/capture-records.ts';
import { type CaptureRecord, captureRecord } from '../../src/records/record.ts';

const KIB = 1_024;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await addEndpoint(database.db);
});
afterAll(() => database.drop());

const EVENT = {
  record: 'event',
  key: 'k',
  type: 't',
  occurredAt: '2026-01-01',
  distributionId: LINK,
} as const;
const VIEW = {
  record: 'view',
  key: 'k',
  distributionId: LINK,
  startedAt: '2026-01-01',
  endedAt: '2026-01-01',
} as const;
const CALL_RECORD = { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-01-01', ownerId: 7 } as const;
const MESSAGE = { record: 'message', key: 'k', roomId: ROOM, side: 'seller', sentAt: '2026-01-01' } as const;
const metadataOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
/** A control character takes six bytes in JSON. */
const WIDEST = '\u0001';

const tooLarge: [string, ShortRecord, string, string][] = [
  [
    'metadata',
    { ...EVENT, metadata: metadataOf(16 * KIB + 1) },
    'metadata',
    '16384 bytes of JSON, got 16385',
  ],
  [
    'metadata whose numbers PostgreSQL writes in full',
    { ...EVENT, metadata: { a: Array<number>(60).fill(1e308) } },
    'metadata',
    '16384 bytes of JSON, got',
  ],
  ['an event type', { ...EVENT, type: 'x'.repeat(KIB + 1) }, 'type', '1024 bytes, got 1025'],
  ['a key', { ...EVENT, key: 'ä'.repeat(KIB / 2 + 1) }, 'key', '1024 bytes, got 1026'],
  [
    'a summary',
    { record: 'callSummary', callId: CALL, summary: { headline: 'x'.repeat(256 * KIB) } },
    'summary',
    '262144 bytes of JSON',
  ],
  [
    'a list of participants',
    { ...CALL_RECORD, participants: [{ name: 'x'.repeat(64 * KIB) }] },
    'participants',
    '65536 bytes of JSON',
  ],
  [
    'a talk time',
    { ...CALL_RECORD, talkTime: { source: 'x'.repeat(4 * KIB) } },
    'talkTime',
    '4096 bytes of JSON',
  ],
  [
    'a reason',
    { ...CALL_RECORD, disqualifiedReason: 'x'.repeat(16 * KIB + 1) },
    'disqualifiedReason',
    '16384 bytes, got 16385',
  ],
  ['a message', { ...MESSAGE, text: 'x'.repeat(64 * KIB + 1) }, 'text', '65536 bytes, got 65537'],
  [
    'a list of segments',
    { ...VIEW, segments: Array.from({ length: 10_001 }, () => [0, 1] as [number, number]) },
    'segments',
    '10000 items, got 10001',
  ],
  [
    'the name of a workspace',
    { record: 'company', id: 9, name: 'x'.repeat(KIB + 1) },
    'name',
    '1024 bytes, got 1025',
  ],
];

test.each(tooLarge)(
  '%s that is too large is rejected with the record, the field and the limit',
  async (_name, record, field, limit) => {
    await expect(
      capture(database.db, { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' }, record),
    ).rejects.toMatchObject({
      line: 2,
      field,
      message: expect.stringContaining(
        `${field}: too large for a record of kind ${record.record}: expected at most ${limit}`,
      ),
    });
  },
);

/** Returns a record that was built in code and not parsed. */
const built = (metadata: object) =>
  ({ ...captureRecord.parse({ ...EVENT, companyId: COMPANY, key: 'built' }), metadata }) as CaptureRecord;

test.each([
  ['objects', '{"a":', '}'],
  ['lists', '{"a":[', ']}'],
])('a record built in code with 1,100 levels of %s is rejected', async (_what, begin, end) => {
  const metadata = JSON.parse(`${begin.repeat(1_100)}1${end.repeat(1_100)}`) as object;
  await expect(captureRecords(database.db, [built(metadata)])).rejects.toMatchObject({
    line: 1,
    errors: [{ field: 'metadata', message: 'nested too deeply: expected at most 64 levels' }],
  });
  await captureRecords(database.db, [built({ a: 1 })]);
});

/** Returns the size of the largest body of an event type. */
async function largestBody(type: string): Promise<number> {
  const bodies = await database.db.webhookEvent.findMany({ where: { type }, select: { body: true } });
  expect(bodies.length).toBeGreaterThan(0);
  return Math.max(...bodies.map(({ body }) => Buffer.byteLength(body)));
}

test('the largest records are captured, and their webhooks stay within 64 KiB and 512 KiB', async () => {
  const widest = WIDEST.repeat(KIB);
  const jsonOf = (bytes: number) => 'x'.repeat(bytes);
  await capture(
    database.db,
    { record: 'user', id: 8, name: widest, email: `${'e'.repeat(60)}@${'d'.repeat(60)}.example` },
    { ...CALL_RECORD, id: uuid(50), ownerId: 8, title: widest, prospectName: widest, roomId: ROOM },
    {
      ...CALL_RECORD,
      id: uuid(50),
      ownerId: 8,
      participants: [{ name: jsonOf(64 * KIB - 200) }],
      talkTime: { source: jsonOf(4 * KIB - 100) },
      disqualifiedReason: WIDEST.repeat(16 * KIB),
    },
    {
      record: 'distribution',
      id: uuid(51),
      roomId: ROOM,
      recipientName: widest,
      recipientEmail: null,
      callId: uuid(50),
    },
    { ...EVENT, key: widest, type: widest, distributionId: uuid(51), metadata: metadataOf(16 * KIB) },
    { record: 'callSummary', callId: uuid(50), summary: { headline: jsonOf(256 * KIB - 1_000) } },
    {
      ...VIEW,
      distributionId: uuid(51),
      segments: Array.from({ length: 10_000 }, () => [999_999_998, 999_999_999] as [number, number]),
    },
    { ...MESSAGE, text: 'x'.repeat(64 * KIB) },
  );
  const event = await largestBody('engagement.recorded');
  expect(event).toBeGreaterThan(32 * KIB);
  expect(event).toBeLessThan(64 * KIB);
  const call = await largestBody('call.summary.created');
  expect(call).toBeGreaterThan(400 * KIB);
  expect(call).toBeLessThan(512 * KIB);
  const view = await largestBody('engagement.view.recorded');
  expect(view).toBeGreaterThan(490 * KIB);
  expect(view).toBeLessThan(512 * KIB);
});
