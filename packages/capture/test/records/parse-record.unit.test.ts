import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { parseRecord } from '../../src/records/parse-record.ts';
import { RecordError } from '../../src/records/record-error.ts';

const ROOM = uuid(1);

function parse(value: unknown, { lenient = false } = {}) {
  return parseRecord(value, 3, { lenient });
}

/** Returns the errors of a record that is rejected. */
function errorsOf(value: unknown, options?: { lenient: boolean }) {
  try {
    parse(value, options);
  } catch (error) {
    if (error instanceof RecordError) {
      expect(error.line).toBe(3);
      return error.errors;
    }
    throw error;
  }
  throw new Error('the record was accepted');
}

const fieldsOf = (value: unknown) => errorsOf(value).map(({ field }) => field);

const room = { record: 'room', companyId: 1, id: ROOM, name: 'Globex' };
const event = {
  record: 'event',
  companyId: 1,
  key: 'k',
  type: 'doc_open',
  occurredAt: '2026-01-01',
  distributionId: uuid(2),
};
const view = {
  record: 'view',
  companyId: 1,
  key: 'k',
  distributionId: uuid(2),
  startedAt: '2026-01-02',
  endedAt: '2026-01-02',
};
const callSummary = { record: 'callSummary', companyId: 1, callId: uuid(3) };
const call = {
  record: 'call',
  companyId: 1,
  id: uuid(3),
  kind: 'demo',
  occurredAt: '2026-01-01',
  ownerId: 7,
};

describe('an invalid record', () => {
  test('is rejected with all of its errors at once', () => {
    expect(
      errorsOf({
        ...view,
        key: ' ',
        endedAt: '2026-01-01',
        distributionId: 7,
        segments: [[2, 1]],
        note: 'x',
        docId: 'y'.repeat(2_000),
      }),
    ).toEqual([
      { field: 'note', message: 'unknown field' },
      { field: 'key', message: 'Invalid text: expected at least one non-blank character' },
      { field: 'distributionId', message: 'Invalid input: expected string, received number' },
      { field: 'docId', message: 'Invalid UUID' },
      { field: 'segments.0', message: 'Invalid segment: expected [from, to] with from <= to' },
      { field: 'endedAt', message: 'Invalid date-time: must not be before startedAt' },
      {
        field: 'docId',
        message: 'too large for a record of kind view: expected at most 1024 bytes, got 2000',
      },
    ]);
    expect(fieldsOf({ record: 'member', companyId: 1, rolle: 'x' })).toEqual(['rolle', 'roomId', 'email']);
  });

  test('has a message with all fields, and a property with the first field', () => {
    expect(() => parse({ ...room, name: '', status: 'x' })).toThrow(
      expect.objectContaining({
        field: 'name',
        message: expect.stringMatching(/^name: Invalid text: .*; status: Invalid option: /),
      }),
    );
  });

  test('is rejected with at most 100 errors', () => {
    // The maximum number of fields on a line.
    const names = Array.from({ length: 130_000 }, (_, n) => [n.toString(36), 1]);
    expect(errorsOf({ ...call, participants: [Object.fromEntries(names)] })).toHaveLength(100);
    const sources = Array.from({ length: 400_000 }, () => 1);
    expect(errorsOf({ ...call, participants: [{ sources }] })).toEqual([
      { field: '', message: 'has too many errors' },
      { field: 'participants', message: expect.stringContaining('too large') },
    ]);
    expect(errorsOf({ ...view, segments: Array.from({ length: 500 }, () => [2, 1]) })).toHaveLength(100);
  });

  test.each([[null], [1], ['room'], [[room]]])('is one that is not an object: %j', (value) => {
    expect(errorsOf(value)).toEqual([{ field: '', message: 'expected a JSON object' }]);
  });

  test.each([
    ['rom', /^expected one of company, user, .*; did you mean room\?$/],
    ['banana', /^expected one of company, user, [^;]*$/],
    [undefined, /^expected one of company, user, [^;]*$/],
    [{}, /^expected one of company, user, [^;]*$/],
  ])('of the kind %j is rejected with the list of kinds', (record, message) => {
    expect(errorsOf({ ...room, record })).toEqual([
      { field: 'record', message: expect.stringMatching(message) },
    ]);
  });

  test.each([65, 1_100, 2_500, 100_000])('is one that is nested %i levels deep', (levels) => {
    const tooDeep = 'nested too deeply: expected at most 64 levels';
    expect(errorsOf({ ...event, metadata: objects(levels), type: ' ' })).toEqual([
      { field: 'type', message: expect.any(String) },
      { field: 'type', message: expect.any(String) },
      { field: 'metadata', message: tooDeep },
    ]);
    expect(errorsOf({ ...event, metadata: lists(levels) })).toContainEqual({
      field: 'metadata',
      message: tooDeep,
    });
    expect(errorsOf({ ...call, talkTime: objects(levels) })).toContainEqual({
      field: 'talkTime',
      message: tooDeep,
    });
    expect(errorsOf({ ...call, participants: lists(levels) })).toContainEqual({
      field: 'participants',
      message: tooDeep,
    });
    expect(errorsOf({ ...callSummary, summary: { topics: lists(levels) } })).toContainEqual({
      field: 'summary',
      message: tooDeep,
    });
    // Ignored fields are not read.
    expect(parse({ ...event, note: lists(levels) }, { lenient: true })).not.toHaveProperty('note');
  });
});

const objects = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
const lists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('free-form JSON', () => {
  test('accepts 64 levels', () => {
    const metadata = { a: [null, false, '', lists(62)], b: objects(63) };
    expect(parse({ ...event, metadata })).toMatchObject({ metadata });
  });

  test.each([
    9_007_199_254_740_991, -9_007_199_254_740_991, 0.1, 1e308, 5e-324, 123_456_789_012_345.6, 1e21, 0,
  ])('keeps the number %d', (n) =>
    expect(parse({ ...event, metadata: { n } })).toMatchObject({ metadata: { n } }),
  );

  test.each<[unknown, string[], string]>([
    [{ a: 9_007_199_254_740_992 }, ['a'], 'Invalid number: 9007199254740992 cannot be kept exactly'],
    [{ a: [0, { b: 1e20 }] }, ['a.1.b'], 'Invalid number: 100000000000000000000 cannot be kept exactly'],
    [{ a: Number.NaN }, ['a'], 'Invalid number: NaN cannot be kept exactly'],
    [{ a: -Infinity }, ['a'], 'Invalid number: -Infinity cannot be kept exactly'],
    [JSON.parse('{"__proto__":1}'), ['__proto__'], 'Invalid name: __proto__'],
    [JSON.parse('{"a":[{"__proto__":{}}]}'), ['a.0.__proto__'], 'Invalid name: __proto__'],
    [{ a: { b: 'x\0' } }, ['a.b'], 'Invalid text: NUL'],
    [{ 'a\ud800': 1 }, ['a\ufffd'], 'Invalid text: NUL'],
    [{ a: undefined }, ['a'], 'Invalid input: expected JSON'],
    [{ a: new Date(0) }, ['a'], 'Invalid input: expected JSON'],
    [{ a: [() => 1] }, ['a.0'], 'Invalid input: expected JSON'],
    [{ ['k'.repeat(1_000_000)]: 1e20 }, ['k'.repeat(191)], 'Invalid number'],
  ])('rejects values that cannot be kept exactly, with their field: %p', (metadata, fields, message) => {
    const errors = errorsOf({ ...event, metadata }).filter(
      ({ message: one }) => !one.startsWith('too large'),
    );
    expect(errors).toEqual([{ field: `metadata.${fields[0]}`, message: expect.stringContaining(message) }]);
  });
});

describe('an unknown field', () => {
  test.each([
    ['dealValueCent', 'dealValueCents'],
    ['dealvaluecents', 'dealValueCents'],
    ['owner_id', 'ownerId'],
    ['Name', 'name'],
  ])('%s is an error that suggests %s', (name, nearest) => {
    expect(errorsOf({ ...room, [name]: 1 })).toEqual([
      { field: name, message: `unknown field; did you mean ${nearest}?` },
    ]);
  });

  test.each(['note', 'constructor', '__proto__', 'x'])('%s is an error without a suggestion', (name) => {
    expect(errorsOf(JSON.parse(JSON.stringify(room).replace('{', `{"${name}":1,`)))).toEqual([
      { field: name, message: 'unknown field' },
    ]);
  });

  test('is found in nested objects, but not in free-form ones', () => {
    expect(
      errorsOf({
        ...call,
        participants: [{ name: 'Bob' }, { nane: 'Eve' }],
        talkTime: { source: 'x', total: 1 },
      }),
    ).toEqual([
      { field: 'participants.1.nane', message: 'unknown field; did you mean name?' },
      { field: 'talkTime.total', message: 'unknown field' },
    ]);
    expect(
      fieldsOf({
        record: 'callSummary',
        companyId: 1,
        callId: uuid(3),
        summary: { headlin: 'x', topics: [{ label: 'x', startSecond: 1 }] },
      }),
    ).toEqual(['summary.headlin', 'summary.topics.0.startSecond']);
    expect(parse({ ...event, metadata: { anything: { goes: 1 } } })).toMatchObject({
      metadata: { anything: { goes: 1 } },
    });
  });

  test('is left out of a record that is parsed leniently', () => {
    const parsed = parse({ ...call, note: 1, participants: [{ nane: 'Eve' }] }, { lenient: true });
    expect(parsed).not.toHaveProperty('note');
    expect(parsed).toMatchObject({ participants: [{ name: null }] });
    expect(errorsOf({ ...room, note: 1, name: '' }, { lenient: true })).toHaveLength(1);
  });
});

describe('null', () => {
  test.each([
    ['the status of a room', room, 'status', 'open'],
    ['the status of a call', call, 'status', 'completed'],
    ['the participants of a call', call, 'participants', []],
    ['the switch of a workspace', { record: 'company', id: 1, name: 'Acme' }, 'apiEnabled', true],
    [
      'the origin of a document',
      { record: 'document', companyId: 1, id: ROOM, roomId: ROOM, title: 't', category: 'c' },
      'uploadedByProspect',
      false,
    ],
  ])('as %s is the default', (_name, record, field, value) => {
    expect(parse({ ...record, [field]: null })).toMatchObject({ [field]: value });
    expect(parse(record)).not.toHaveProperty(field);
  });

  test('in a stored object is the default too', () => {
    const summary = { headline: null, painPoints: null, topics: [{ label: 'x', startSeconds: null }] };
    expect(parse({ record: 'callSummary', companyId: 1, callId: uuid(3), summary })).toMatchObject({
      summary: {
        headline: null,
        painPoints: [],
        topics: [{ label: 'x', summary: null, startSeconds: null }],
      },
    });
    const participants = [{ name: null, isHost: null, sources: null }];
    expect(parse({ ...call, participants, talkTime: { source: null } })).toMatchObject({
      participants: [{ name: null, isHost: false, sources: [] }],
      talkTime: { source: null, totalSpeakerSeconds: null },
    });
    expect(fieldsOf({ ...call, participants: [{ sources: [null] }] })).toEqual(['participants.0.sources.0']);
  });

  test('does not clear what a row must have', () => {
    expect(fieldsOf({ ...room, name: null })).toEqual(['name']);
    expect(fieldsOf({ ...call, kind: null, ownerId: null })).toEqual(['kind', 'ownerId']);
  });
});

describe('parseRecord', () => {
  test.each(['a,b', ',', ' doc_open', 'doc_open ', '\tdoc_open', '', ' '])(
    'rejects the event type %j',
    (type) => expect(new Set(fieldsOf({ ...event, type }))).toEqual(new Set(['type'])),
  );

  test.each(['doc_open', 'doc open', 'x', 'Ünïcode'])('accepts the event type %j', (type) => {
    expect(parse({ ...event, type })).toMatchObject({ type });
  });

  test.each([
    [{ record: 'document', companyId: 1, id: ROOM, title: '' }],
    [{ record: 'actionItem', companyId: 1, id: ROOM, title: ' ' }],
    [{ ...call, title: '' }],
  ])('rejects an empty title: %j', (record) => expect(fieldsOf(record)).toEqual(['title']));

  test.each([
    ['2026-01-01T00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T02:30+02:00', '2026-01-01T00:30:00.000Z'],
    ['2026-01-01T00:00:01.5Z', '2026-01-01T00:00:01.500Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T12:00:00+0000', '2026-01-01T12:00:00.000Z'],
    ['2026-01-01T12:00:00.25-0330', '2026-01-01T15:30:00.250Z'],
    ['2026-01-01T12:00+02', '2026-01-01T10:00:00.000Z'],
  ])('the date-time %s is %s', (occurredAt, moment) => {
    expect(parse({ ...event, occurredAt })).toMatchObject({ occurredAt: new Date(moment) });
  });

  test.each([
    '2026-01-01T00Z',
    '2026-01-01T00:00',
    '2026-13-01T00:00Z',
    '2026-01-01T24:00Z',
    '2026-02-30T00:00+0000',
    '2026-01-01T00:00+2',
    '2026-01-01T00:00+0260',
    '2026-01-01+0000',
    '2026-01-01T0000Z',
    'now',
    0,
  ])('rejects the date-time %j', (occurredAt) =>
    expect(fieldsOf({ ...event, occurredAt })).toEqual(['occurredAt']),
  );

  test.each([
    // An id of SQL Server's NEWSEQUENTIALID, one without a version, all zeros, and all ones.
    '852E395D-693E-ED11-809A-C971856D9437',
    '00000000-0000-0000-0000-000000000001',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('accepts the id %s and stores it in lower case', (id) => {
    expect(parse({ ...room, id })).toMatchObject({ id: id.toLowerCase() });
  });

  test.each<[object, object]>([
    [
      { ...callSummary, summary: { topics: [{ label: 'x', startSeconds: -0, endSeconds: -0 }] } },
      { summary: { topics: [{ startSeconds: 0, endSeconds: 0 }] } },
    ],
    [
      { ...call, participants: [{ talkSeconds: -0, talkPercent: -0 }] },
      { participants: [{ talkSeconds: 0, talkPercent: 0 }] },
    ],
    [{ ...call, talkTime: { totalSpeakerSeconds: -0 } }, { talkTime: { totalSpeakerSeconds: 0 } }],
    [{ record: 'esign', companyId: 1, id: 'c', recipientCount: -0 }, { recipientCount: 0 }],
    [{ ...view, seconds: -0 }, { seconds: 0 }],
    [{ ...view, segments: [[-0, 1]] }, { segments: [[0, 1]] }],
    [{ ...room, dealValueCents: -0 }, { dealValueCents: 0 }],
  ])('-0 is 0: %j', (record, parsed) => {
    expect(parse(record)).toMatchObject(parsed);
  });

  test('keeps seconds of a segment to the millisecond', () => {
    const segments = [
      [0, 0.1 + 0.2],
      [1.0004, 1.9996],
      [2, 2],
    ];
    expect(parse({ ...view, segments })).toMatchObject({
      segments: [
        [0, 0.3],
        [1, 2],
        [2, 2],
      ],
    });
    for (const bad of [[-0.001, 1], [0, 2_147_483_648], [0, Number.NaN], [0], ['0', 1], [1.2, 1.1]]) {
      expect(fieldsOf({ ...view, segments: [bad] })).not.toEqual([]);
    }
  });

  test('treats a recording of 0 seconds as one of unknown length', () => {
    expect(parse({ ...call, durationSeconds: 0 })).toMatchObject({ durationSeconds: null });
    expect(parse({ ...call, durationSeconds: 1 })).toMatchObject({ durationSeconds: 1 });
  });
});
