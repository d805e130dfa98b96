import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ApiError } from '../../src/http/errors.ts';
import { integerCursors, TEXTS, timeCursors, toPage } from '../../src/http/pagination.ts';

// The same cursors in each run.
fc.configureGlobal({ seed: 1 });

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
    'accepts the cursor %s',
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
  ])('rejects the cursor %j', (cursor) => {
    expect(errorOf(() => integerCursors.read(cursor))).toEqual(INVALID);
  });
});

const at = Date.UTC(2026, 8, 1, 12, 0, 0, 7);
const id = uuid(5);

describe('time cursors', () => {
  const cursors = timeCursors('calls');

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
    ['a moment before 2001', encode({ feed: 'calls', at: 999_999_999_999, id })],
    ['a moment after 2286', encode({ feed: 'calls', at: 10_000_000_000_000, id })],
    ['a later row in the year 1', encode({ feed: 'calls', at: -62_135_596_800_000, id })],
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
  ])('rejects %s', (_name, cursor) => {
    expect(errorOf(() => cursors.read(cursor))).toEqual(INVALID);
  });
});

describe('cursors of a feed whose ids are texts', () => {
  const cursors = timeCursors('esign-documents', TEXTS);
  const moment = new Date(Date.UTC(2026, 8, 1));

  test.each(['agr_20931', 'ü/%?', ' ', '\u0001'.repeat(1_024), '\u{10FFFF}'])(
    'the id %j is read back',
    (textId) => {
      expect(cursors.read(cursors.write({ at: moment, id: textId }))).toEqual({ at: moment, id: textId });
    },
  );

  test('the start is before every id', () => {
    expect(cursors.read(cursors.start)).toEqual({ at: new Date('0001-01-01T00:00:00.000Z'), id: '' });
  });

  test.each([
    ['an id with NUL', 'a\0'],
    ['half a character', '\ud800'],
    ['an id that is too long', 'a'.repeat(1_025)],
  ])('rejects %s', (_name, invalid) => {
    const cursor = encode({ feed: 'esign-documents', at: moment.getTime(), id: invalid });
    expect(errorOf(() => cursors.read(cursor))).toEqual(INVALID);
  });

  test('rejects an id that is not UTF-8', () => {
    const before = Buffer.from(`{"feed":"esign-documents","at":${moment.getTime()},"id":"`);
    const after = Buffer.from('"}');
    for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0xc1, 0xa1]]) {
      const cursor = Buffer.concat([before, Buffer.from(bytes), after]).toString('base64url');
      expect(errorOf(() => cursors.read(cursor))).toEqual(INVALID);
    }
  });

  test('every id that can be stored is read back', () => {
    const ids = fc
      .string({ minLength: 1, unit: 'binary' })
      .filter((text) => !text.includes('\0') && text.isWellFormed());
    fc.assert(
      fc.property(ids, (textId) => cursors.read(cursors.write({ at: moment, id: textId })).id === textId),
    );
  });

  test('rejects a cursor of another feed', () => {
    const other = timeCursors('documents').write({ at: moment, id: uuid(1) });
    expect(errorOf(() => cursors.read(other))).toEqual(INVALID);
  });

  test('a time sorts before every id with that time', () => {
    expect(cursors.after(undefined, moment)).toEqual({ at: moment, id: '' });
    expect(cursors.after(cursors.write({ at: moment, id: 'a' }), moment)).toEqual({ at: moment, id: 'a' });
  });
});

describe('a time cursor', () => {
  const cursors = timeCursors('calls');
  const digits = fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 });
  const valid = fc.tuple(digits, fc.uuid()).map(([ms, row]) => cursors.write({ at: new Date(ms), id: row }));

  /** Reports whether a text is a cursor, with an independent implementation. */
  function isCursor(text: string): boolean {
    if (text === cursors.start) return true;
    try {
      const read = JSON.parse(Buffer.from(text, 'base64url').toString());
      const isMoment =
        Number.isInteger(read.at) && read.at >= 1_000_000_000_000 && read.at <= 9_999_999_999_999;
      const isId = typeof read.id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(read.id);
      return isMoment && isId && encode({ feed: 'calls', at: read.at, id: read.id }) === text;
    } catch {
      return false;
    }
  }

  function isAccepted(text: string): boolean {
    try {
      cursors.read(text);
      return true;
    } catch {
      return false;
    }
  }

  test('is accepted if it was written, and matches the published pattern', () => {
    const written = fc.oneof(valid, fc.constant(cursors.start));
    fc.assert(
      fc.property(written, (text) => isAccepted(text) && isCursor(text) && /^[A-Za-z0-9_-]+$/.test(text)),
    );
  });

  test('is rejected with one other character, in base64 or in the JSON', () => {
    const wrong: string[] = [];
    const compare = (text: string): void => {
      if (isAccepted(text) !== isCursor(text)) wrong.push(text);
    };
    const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ';
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');
    const cursor = cursors.write({ at: new Date(at), id: '0f9e8d7c-6b5a-4321-8fed-cba987654321' });
    const json = Buffer.from(cursor, 'base64url').toString();
    for (const [text, characters, toCursor] of [
      [cursor, base64, (changed: string) => changed],
      [json, ascii, encode],
    ] as const) {
      for (let position = 0; position <= text.length; position += 1) {
        const [before, after] = [text.slice(0, position), text.slice(position)];
        compare(toCursor(before + after.slice(1)));
        for (const character of characters) {
          compare(toCursor(before + character + after));
          compare(toCursor(before + character + after.slice(1)));
        }
      }
    }
    expect(wrong).toEqual([]);
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

  test('continues where the search for rows stopped, unless it is full before', () => {
    const stopped = (rows: number[]) => toPage(rows, 2, 'sent', (row) => row * 10, String, '9');
    expect(stopped([])).toEqual({ data: [], nextCursor: '9', hasMore: true });
    expect(stopped([1])).toEqual({ data: [10], nextCursor: '9', hasMore: true });
    expect(stopped([1, 2])).toEqual({ data: [10, 20], nextCursor: '9', hasMore: true });
    expect(stopped([1, 2, 3])).toEqual({ data: [10, 20], nextCursor: '2', hasMore: true });
    const large = { n: 1, isFollowed: true };
    expect(
      toPage(
        [large],
        2,
        'sent',
        ({ n }) => n,
        ({ n }) => String(n),
        '9',
      ),
    ).toEqual({
      data: [1],
      nextCursor: '1',
      hasMore: true,
    });
  });
});
