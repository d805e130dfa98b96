import { parseRecord } from '@deal-signals/capture/records/parse-record';
import { KINDS } from '@deal-signals/capture/records/record';
import { expect, test } from '@jest/globals';
import { readPage } from './programs.ts';

const GUIDE = readPage('capture.md');

test('the guide to capture lists every kind of record', () => {
  const kinds = Array.from(
    GUIDE.matchAll(/^\| `(\w+)` +\| (?:a|the|an|one|something) /gm),
    ([, kind]) => kind,
  );
  expect(kinds).toHaveLength(new Set(kinds).size);
  expect(new Set(kinds)).toEqual(new Set(Object.keys(KINDS)));
});

test('the guide to capture lists the required fields of a new row', () => {
  const rows = GUIDE.matchAll(/^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+) +\|$/gm);
  const listed = Array.from(rows, ([, kind, fields = '']) => [
    kind,
    Array.from(fields.matchAll(/`(\w+)`/g), ([, field]) => field),
  ]);
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(
      Object.entries(KINDS).flatMap(([kind, { newRow }]) => (newRow ? [[kind, newRow]] : [])),
    ),
  );
});

test('the guide to capture shows valid records and a real error message', () => {
  const [records = '', error = ''] = Array.from(
    GUIDE.matchAll(/^```(?:json|text)\n([\s\S]*?)\n```$/gm),
    ([, block]) => block,
  );
  const lines = records.split('\n').map((line) => JSON.parse(line) as object);
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) parseRecord(line, 1, { lenient: false });
  const wrong = { ...lines.at(-1), dealValueCent: 1, status: 'wonn' };
  expect(() => parseRecord(wrong, 3, { lenient: false })).toThrow(error.replace(/^line 3: /, ''));
});
