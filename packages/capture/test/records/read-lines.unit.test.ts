import { describe, expect, test } from '@jest/globals';
import { readLines } from '../../src/stream/read-lines.ts';
import { MAX_LINE_BYTES, readNdjson } from '../../src/stream/read-ndjson.ts';
import { RecordError } from '../../src/records/record-error.ts';

async function* stream(...parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

async function linesOf(input: AsyncIterable<Buffer>, maxBytes = 100): Promise<(string | null)[]> {
  const lines: (string | null)[] = [];
  for await (const part of readLines(input, maxBytes)) {
    for (const { number, bytes } of part) {
      expect(number).toBe(lines.length + 1);
      lines.push(bytes === null ? null : bytes.toString());
    }
  }
  return lines;
}

describe('readLines', () => {
  test('returns the same lines for every division of the stream into chunks', async () => {
    const bytes = Buffer.from('one\n\nzwei ü 💡\r\nlast');
    const expected = ['one', '', 'zwei ü 💡\r', 'last'];
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await linesOf(stream(bytes.subarray(0, cut), bytes.subarray(cut)))).toEqual(expected);
    }
    expect(await linesOf(stream(...Array.from(bytes, (byte) => Buffer.of(byte))))).toEqual(expected);
  });

  test('skips a line that is too long, whole or in parts, and continues with the next', async () => {
    const long = 'x'.repeat(11);
    expect(await linesOf(stream(`a\n${long}\n${'y'.repeat(10)}\n`), 10)).toEqual(['a', null, 'y'.repeat(10)]);
    expect(await linesOf(stream('a\n', ...Array<string>(11).fill('x'), '\nb\n', long, long), 10)).toEqual([
      'a',
      null,
      'b',
      null,
    ]);
  });

  test('keeps a line that arrives in very many parts', async () => {
    const parts = Array.from({ length: 5_000 }, (_, n) => String(n % 10));
    expect(await linesOf(stream(...parts), 5_000)).toEqual([parts.join('')]);
  });

  test('drops the line that was being read when the stream fails', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from('one\ntw');
      throw new Error('cut');
    }
    const lines: string[] = [];
    const read = async () => {
      for await (const part of readLines(failing(), 100))
        lines.push(...part.map(({ bytes }) => String(bytes)));
    };
    await expect(read()).rejects.toThrow('cut');
    expect(lines).toEqual(['one']);
  });
});

describe('readNdjson', () => {
  async function parse(...parts: (string | Buffer)[]) {
    const all = [];
    for await (const list of readNdjson(stream(...parts), { lenient: false })) all.push(...list);
    return all;
  }
  const user = (id: number) =>
    JSON.stringify({ record: 'user', companyId: 1, id, name: 'Ann', email: 'a@b.example' });

  test('accepts a byte order mark, blank lines, CRLF and a missing last line break', async () => {
    const parsed = await parse(`\uFEFF${user(1)}\r\n\r\n  \n${user(2)}`);
    expect(parsed.map(({ line }) => line)).toEqual([1, 4]);
    expect(parsed.every((one) => !(one instanceof RecordError))).toBe(true);
  });

  test('accepts a byte order mark at the beginning only', async () => {
    const [first, second] = await parse(`\uFEFF${user(1)}\n\uFEFF${user(2)}\n`);
    expect(first).toMatchObject({ line: 1, record: { id: 1 } });
    expect(second).toBeInstanceOf(RecordError);
  });

  test.each([
    ['is not JSON', '{"record":', '', 'expected a JSON object'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), '', 'expected text in UTF-8'],
    [
      'is too long',
      `"${'x'.repeat(MAX_LINE_BYTES)}"`,
      '',
      `expected a line of at most ${MAX_LINE_BYTES} bytes`,
    ],
    ['has an invalid field', user(0), 'id', 'id: '],
  ])('returns an error for a line that %s, and reads on', async (_what, line, field, message) => {
    const [error, next] = await parse(line, `\n${user(2)}\n`);
    expect(error).toBeInstanceOf(RecordError);
    expect(error).toMatchObject({ line: 1, field, message: expect.stringContaining(message) });
    expect(next).toMatchObject({ line: 2, record: { id: 2 } });
  });
});
