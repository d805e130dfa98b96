import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../src/http/errors.ts';
import { integerCursors, notBefore, TEXT_IDS, timeCursors, toPage } from '../../src/http/pagination.ts';

const INVALID = expect.objectContaining({ code: 'INVALID_CURSOR', status: 400 });
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return error;
  }
}

describe('integer cursors', () => {
  test.each(['0', '1', '000000000000000001', '1000000000000', '999999999999999999'])(
    'the cursor %s is accepted',
    (cursor) => {
      expect(integerCursors.read(cursor)).toBe(BigInt(cursor));
    },
  );

  test.each([
    '',
    ' ',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x10',
    '1000000000000000000',
    '9'.repeat(400),
    '１',
    '1\n',
    'null',
    '1,2',
  ])('the cursor %j is refused', (cursor) => {
    expect(errorOf(() => integerCursors.read(cursor))).toEqual(INVALID);
  });
});

describe('time cursors', () => {
  const cursors = timeCursors('calls');
  const at = Date.UTC(2026, 8, 1, 12, 0, 0, 7);
  const id = uuid(5);

  test('a written cursor is read back to the millisecond', () => {
    expect(cursors.read(cursors.write({ at: new Date(at), id }))).toEqual({ at: new Date(at), id });
    expect(cursors.read(cursors.start).at.toISOString()).toBe('0001-01-01T00:00:00.000Z');
    expect(cursors.write({ at: new Date(at), id })).toBe(encode({ feed: 'calls', at, id }));
  });

  test.each([
    ['nothing', ''],
    ['an integer', '1000000000000'],
    ['text that is not base64url', '%%%'],
    ['text that is not JSON', encode('{')],
    ['null', encode(null)],
    ['an array', encode([at, id])],
    ['a cursor of another feed', encode({ feed: 'decision-rooms', at, id })],
    ['a cursor without a feed', encode({ at, id })],
    ['a moment as text', encode({ feed: 'calls', at: '2026-09-01T12:00:00.007Z', id })],
    ['a fraction of a millisecond', encode({ feed: 'calls', at: at + 0.5, id })],
    ['a moment before the year 1', encode({ feed: 'calls', at: -62_135_596_800_001, id })],
    ['a moment after the year 9999', encode({ feed: 'calls', at: 253_402_300_800_000, id })],
    ['an infinite moment', encode('{"feed":"calls","at":1e999,"id":"' + uuid(5) + '"}')],
    ['minus zero', encode(`{"feed":"calls","at":-0,"id":"${uuid(5)}"}`)],
    ['an invalid id', encode({ feed: 'calls', at, id: 'x' })],
    ['an id with NUL', encode({ feed: 'calls', at, id: `${uuid(5).slice(0, -1)}\0` })],
    ['an id in upper case', encode({ feed: 'calls', at, id: 'ABCDEFAB-0000-4000-8000-00000000000A' })],
    ['an id as a number', encode({ feed: 'calls', at, id: 5 })],
    ['another order of fields', encode({ at, feed: 'calls', id })],
    ['a space in the JSON', encode(`{"feed": "calls","at":${at},"id":"${uuid(5)}"}`)],
    ['an additional field', encode({ feed: 'calls', at, id, more: 1 })],
    ['a repeated field', encode(`{"feed":"x","feed":"calls","at":${at},"id":"${uuid(5)}"}`)],
    ['padding', `${encode({ feed: 'calls', at, id })}=`],
    ['a trailing space', `${encode({ feed: 'calls', at, id })} `],
    ['a truncated cursor', encode({ feed: 'calls', at, id }).slice(0, -1)],
    ['appended characters', `${encode({ feed: 'calls', at, id })}AA`],
    ['very long text', 'A'.repeat(10_000)],
  ])('%s is refused', (_name, cursor) => {
    expect(errorOf(() => cursors.read(cursor))).toEqual(INVALID);
  });
});

describe('time cursors of a feed whose ids are texts', () => {
  const cursors = timeCursors('esign-documents', TEXT_IDS);
  const at = new Date(Date.UTC(2026, 8, 1));

  test.each(['agr_20931', 'ü/%?', ' ', '\u0001'.repeat(1_024), '\u{10FFFF}'])(
    'the id %j is read back',
    (textId) => {
      expect(cursors.read(cursors.write({ at, id: textId }))).toEqual({ at, id: textId });
    },
  );

  test('the start is before every id', () => {
    expect(cursors.read(cursors.start)).toEqual({ at: new Date('0001-01-01T00:00:00.000Z'), id: '' });
  });

  test.each([
    ['an id with NUL', 'a\0'],
    ['an id with half a character', '\ud800'],
    ['an id as a number', 5],
  ])('%s is refused', (_name, invalid) => {
    const cursor = encode({ feed: 'esign-documents', at: at.getTime(), id: invalid });
    expect(errorOf(() => cursors.read(cursor))).toEqual(INVALID);
  });

  test('a cursor of another feed is refused', () => {
    const other = timeCursors('documents').write({ at, id: uuid(1) });
    expect(errorOf(() => cursors.read(other))).toEqual(INVALID);
  });

  test('a moment begins before every id that has it', () => {
    const position = cursors.read(cursors.start);
    expect(notBefore(position, at, TEXT_IDS)).toEqual({ at, id: '' });
    expect(notBefore({ at, id: 'a' }, at, TEXT_IDS)).toEqual({ at, id: 'a' });
  });
});

describe('a page', () => {
  const page = (rows: number[], limit: number) => toPage(rows, limit, 'sent', (row) => row * 10, String);

  test('returns the cursor that was sent when it is empty', () => {
    expect(page([], 2)).toEqual({ data: [], nextCursor: 'sent', hasMore: false });
  });

  test('has more when one row too many was read', () => {
    expect(page([1, 2], 2)).toEqual({ data: [10, 20], nextCursor: '2', hasMore: false });
    expect(page([1, 2, 3], 2)).toEqual({ data: [10, 20], nextCursor: '2', hasMore: true });
  });
});
