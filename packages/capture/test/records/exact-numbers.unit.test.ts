import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { inexactNumbers } from '../../src/records/exact-numbers.ts';
import { readNdjson } from '../../src/stream/read-ndjson.ts';
import { RecordError } from '../../src/records/record-error.ts';

// Numbers that JSON.parse would change are rejected, and all others are kept.

const KIND = {
  event: '"key":"k","type":"t","occurredAt":"2026-01-01"',
  view: '"key":"k","startedAt":"2026-01-01","endedAt":"2026-01-01"',
  call: `"id":"${uuid(1)}"`,
  room: `"id":"${uuid(1)}"`,
};

/** Reads a line with one record of a kind, whose other fields are given as JSON. */
async function read(kind: keyof typeof KIND, fields: string, { lenient = false } = {}): Promise<unknown> {
  const link = kind === 'event' || kind === 'view' ? `,"distributionId":"${uuid(2)}"` : '';
  const line = `{"record":"${kind}","companyId":1,${KIND[kind]}${link},${fields}}`;
  const parts: unknown[] = [];
  for await (const part of readNdjson(lines(line), { lenient })) parts.push(...part);
  expect(parts).toHaveLength(1);
  const [parsed] = parts as [{ record: unknown }];
  return parsed instanceof RecordError ? parsed.errors : parsed.record;
}

async function* lines(...all: string[]): AsyncGenerator<Buffer> {
  for (const line of all) yield Buffer.from(`${line}\n`);
}

const error = (field: string, number: string) => ({
  field,
  message: `Invalid number: ${number} cannot be kept exactly; send it as a string`,
});

describe('a number in free-form JSON', () => {
  test.each([
    '12345678901234567890',
    '-12345678901234567890',
    '9007199254740992',
    '9007199254740993',
    '100000000000000000000',
    '0.1234567890123456789012',
    '1.00000000000000000001',
    '123456789.01234567891',
    '1e400',
    '-1E+400',
    '1e-400',
    '4.9e-324',
    '1.23456789012345678e5',
  ])('%s is refused', async (number) => {
    expect(await read('event', `"metadata":{"a":[{"b":${number}}]}`)).toEqual([
      error('metadata.a.0.b', number),
    ]);
  });

  test.each([
    '0',
    '-0',
    '1.0',
    '1.500000000000000000000000',
    '9007199254740991',
    '-9007199254740991',
    '0.30000000000000004',
    '0.1',
    '1e5',
    '1E-7',
    '1e21',
    '1e308',
    '5e-324',
    '0.00000000000000000000000000001',
    '0e99999999999',
    '100000000000000000000e-20',
  ])('%s is kept', async (number) => {
    const value = Number(number) + 0;
    const record = await read('event', `"metadata":{"a":[{"b":${number}}]}`);
    expect(JSON.stringify(record)).toContain(`"metadata":{"a":[{"b":${value}}]}`);
  });

  test('is not confused with digits in a string or a name', async () => {
    const metadata = String.raw`{"a": "12345678901234567890, 1e400", "\" 1e400": ["\\", " 1e400", {"[1e400": ""}]}`;
    expect(await read('event', `"metadata":${metadata}`)).toMatchObject({ metadata: JSON.parse(metadata) });
  });

  test('is found at every position', () => {
    const json = String.raw`{"a":{},"b":[[],{"c\u0064":[1,"x",{"":{"e":1e400 }},2e400]}],"f":"\"","g": 3e400}`;
    const found = Array.from(inexactNumbers(json), ({ path, written }) => [path, written]);
    expect(found).toEqual([
      [['b', 1, 'cd', 2, '', 'e'], '1e400'],
      [['b', 1, 'cd', 3], '2e400'],
      [['g'], '3e400'],
    ]);
  });

  test('causes at most 100 errors, with shortened paths and digits', async () => {
    const metadata = `{"${'k'.repeat(100_000)}":[${'1e400,'.repeat(10_000)}${'1'.repeat(100_000)}]}`;
    const errors = (await read('event', `"metadata":${metadata}`)) as { field: string }[];
    expect(errors).toHaveLength(100);
    expect(errors[0]?.field).toHaveLength(200);
    const [long] = (await read('event', `"metadata":{"a":${'1'.repeat(1_000)}}`)) as object[];
    expect(long).toEqual(error('metadata.a', `${'1'.repeat(40)}…`));
  });
});

describe('a number in another field', () => {
  test.each<[keyof typeof KIND, string, string, string]>([
    ['room', '"dealValueCents":9007199254740993', 'dealValueCents', '9007199254740993'],
    ['room', '"dealValueCents":100.00000000000000001', 'dealValueCents', '100.00000000000000001'],
    ['call', '"durationSeconds":6.00000000000000000001e1', 'durationSeconds', '6.00000000000000000001e1'],
    [
      'call',
      '"participants":[{},{"talkPercent":33.33333333333333333}]',
      'participants.1.talkPercent',
      '33.33333333333333333',
    ],
    [
      'call',
      '"talkTime":{"totalSpeakerSeconds":9007199254740993}',
      'talkTime.totalSpeakerSeconds',
      '9007199254740993',
    ],
  ])('of a %s is kept or rejected as well: %s', async (kind, fields, field, number) => {
    expect(await read(kind, fields)).toEqual([error(field, number)]);
  });

  test('is rounded in a segment, as documented', async () => {
    expect(
      await read('view', '"segments":[[0.1234567890123456789012,1.00000000000000000001]]'),
    ).toMatchObject({
      segments: [[0.123, 1]],
    });
  });

  test('is ignored in an ignored field', async () => {
    const fields = '"id":{"a":12345678901234567890},"participants":[{"seat":1e400,"name":"Zoe"}]'.replace(
      '"id"',
      '"snowflake"',
    );
    expect(await read('call', fields, { lenient: true })).toMatchObject({ participants: [{ name: 'Zoe' }] });
    expect(await read('call', fields)).toMatchObject([
      { field: 'snowflake' },
      { field: 'participants.0.seat' },
    ]);
  });
});

test('searching for inexact numbers takes linear time', async () => {
  const hostile = (n: number) => [
    `{"a":${'['.repeat(n)} 1e400 ${']'.repeat(n)}}`,
    `{"a":${'['.repeat(n / 2)}${'1e400,'.repeat(n / 8)}1${']'.repeat(n / 2)}}`,
    `{"a": 1e5,"b":"${String.raw`\n`.repeat(n)}"}`,
    `{"a":1${'0'.repeat(2 * n)}1,"b":0.${'0'.repeat(n)}1}`,
    `{"${'k'.repeat(n)}":[${'1e400,'.repeat(n / 8)}1]}`,
    `{"a": ${' '.repeat(2 * n)}1e5}`,
  ];
  // CPU time, because other work of the machine must not count.
  const timeOf = (n: number) => {
    const start = process.cpuUsage();
    for (const json of hostile(n)) expect(Array.from(inexactNumbers(json)).length).toBeLessThan(n);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  timeOf(2_000);
  expect(timeOf(400_000)).toBeLessThan(50 * timeOf(40_000) + 200);
});
