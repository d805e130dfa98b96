import { describe, expect, test } from '@jest/globals';
import { groupsOf } from '../../src/erasures/find-batch.ts';
import { buildMatcher, ERASED, MAX_NAMES_CHARACTERS } from '../../src/erasures/matching/matcher.ts';
import { namesInOrder } from '../../src/erasures/names.ts';
import { buildPreselection } from '../../src/erasures/matching/preselection.ts';

/** The largest text that is searched at once: the body of a webhook. */
const LARGEST_TEXT = 512 * 1_024;

/** Creates a generator of numbers that look random and are the same in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('the matcher finds the same names as a search at each token of the text', () => {
  const random = createRandom(7);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const words = ['ann', 'Anna', 'ÉVA', 'b', 'bo'];
  const fold = (word: string) => word.toLowerCase().normalize('NFD').replaceAll('\u0301', '');
  let found = 0;
  for (let run = 0; run < 500; run += 1) {
    const names = Array.from({ length: 1 + random(4) }, () =>
      Array.from({ length: 2 + random(3) }, () => pick(words)),
    ).filter((name) => name.join('').length >= 5);
    const tokens = Array.from({ length: 30 }, () => ({
      word: pick([...words, 'eva', 'E\u0301va', 'x']),
      separator: pick([' ', ' ', ' ', '-', '\n', ', ', ' / ']),
    }));
    let text = '';
    const positions = tokens.map(({ word, separator }) => {
      const start = text.length;
      text += word + separator;
      return { word: fold(word), start, end: start + word.length, separator };
    });
    // Returns whether a name is at a token, with the required separators between its words.
    const isAt = (at: number, sought: readonly string[], commaAfter: number) =>
      sought.every((word, n) => {
        const token = positions[at + n];
        if (token?.word !== fold(word)) return false;
        if (n === sought.length - 1) return true;
        return token.separator !== ' / ' && (token.separator === ', ') === (n === commaAfter);
      });
    const isErased = Array.from(text, () => false);
    for (const name of names) {
      const lastFirst = [name.at(-1)!, ...name.slice(0, -1)];
      for (const at of positions.keys()) {
        if (!isAt(at, name, -1) && !isAt(at, lastFirst, 0)) continue;
        isErased.fill(true, positions[at]!.start, positions[at + name.length - 1]!.end);
      }
    }
    // Consecutive erased characters are one match: two matches never touch, because a separator follows each word.
    const expected = text
      .split('')
      .map((character, n) => (isErased[n] ? (isErased[n - 1] ? '' : ERASED) : character))
      .join('');
    const matcher = buildMatcher({ email: null, names: names.map((name) => name.join(' ')) });
    expect({ names, text: matcher?.replace(text) ?? text }).toEqual({ names, text: expected });
    if (expected !== text) found += 1;
  }
  expect(found).toBeGreaterThan(100);
});

/** Returns the CPU time of some work in milliseconds, which the load of the machine hardly affects. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('the matcher takes linear time', () => {
  const oneLetterWords = (n: number) =>
    Array.from({ length: 50 }, (_, word) => String.fromCodePoint(97 + ((n * word + n + word) % 26))).join(
      ' ',
    );
  const NAMES = {
    'a hundred names of fifty words': Array.from({ length: 100 }, (_, n) => oneLetterWords(n)),
    'names that differ at their ends': Array.from({ length: 10 }, (_, n) => `${'a '.repeat(45)}z${n}`),
    'names of a thousand letters': Array.from({ length: 20 }, (_, n) => `${'a '.repeat(500)}z${n}`),
    'names of punctuation': [
      '{ kind',
      '" , : [',
      '\\\\ \\u0061',
      '%20 %20 %',
      'a" . . . . . . . . b',
      'a , , , , b',
    ],
    'names of accents': ['a\u0301\u0302 '.repeat(20), 'é'.repeat(500) + ' a', 'ﬁ ſ ẞ İ ı Σ ς a'],
  };
  const EMAIL = `${'a'.repeat(64)}@${'a'.repeat(60)}.a`;
  const PARTS = [
    'a ',
    'a',
    'a b c d e ',
    '%41%20',
    '%20',
    '%',
    '\\',
    '\\"',
    '\\u0061 ',
    '. ',
    'a, ',
    'a\u0301',
    '\u0301\u05b0\u05b1',
    'a@',
    '@',
    `${'a'.repeat(64)}@`,
    '{"a":"a ',
    '一',
    '한',
  ];

  test('to search the largest texts for any names', () => {
    const matcher = buildMatcher({ email: EMAIL, names: Object.values(NAMES).flat() })!;
    expect(matcher.namesLeftOut).toBe(0);
    const times: Record<string, number> = {};
    for (const part of PARTS) {
      const timeOf = (length: number) => {
        const text = part.repeat(length / part.length);
        const runs = Array.from({ length: 3 }, () => cpuMs(() => matcher.replace(text)));
        return Math.min(...runs);
      };
      const [small, large] = [timeOf(LARGEST_TEXT / 32), timeOf(LARGEST_TEXT)];
      // A linear search takes 32 times as long, and a quadratic one 1,024 times. Times below a millisecond count as one.
      times[part] = large / Math.max(1, small);
    }
    const slow = Object.entries(times).filter(([, ratio]) => ratio > 256);
    expect(slow).toEqual([]);
  });

  test('to prepare the search, which leaves out names beyond a limit', () => {
    const timeOf = (count: number) => {
      const names = Array.from({ length: count }, (_, n) => `Ömer${n} ${'b '.repeat(n % 50)}c`);
      let matcher = buildMatcher({ email: EMAIL, names: [] })!;
      const ms = cpuMs(() => {
        matcher = buildMatcher({ email: EMAIL, names: namesInOrder(['Zoe Quist'], names) })!;
        buildPreselection(EMAIL, matcher);
      });
      expect(matcher.names[0]).toEqual(['zoe', 'quist']);
      expect(matcher.names.flat().join('').length).toBeLessThan(MAX_NAMES_CHARACTERS);
      expect(matcher.namesLeftOut > 0).toBe(count > 1_000);
      return ms;
    };
    timeOf(500);
    const [small, large] = [timeOf(2_000), timeOf(64_000)];
    // There are 32 times as many names.
    expect(large / small).toBeLessThan(128);
  });
});

test.each([
  ['{ kind', '{ kind'],
  ['2026 09', 'on 2026-09-03'],
  ['Zenobia', 'Zenobia'],
  ['A. B', 'a b'],
])('the matcher does not search for %s, which is not a full name', (name, text) => {
  expect(buildMatcher({ email: null, names: [name] })?.replace(text) ?? text).toBe(text);
});

test.each([
  ['Zoe (Globex) Quist', 'zoe (globex) quist; Zoe Globex Quist', '[erased]; [erased]'],
  ['Zoe Quist, CFO', 'ask Zoe Quist, CFO', 'ask [erased]'],
  ['Zoë Quist', 'q=Zo%C3%AB+Quist&x={"by":"Zo\\u00eb\\nQuist"}', 'q=[erased]&x={"by":"[erased]"}'],
  ['Nina Quist', 'C:\\nina quist\\nNina Quist', 'C:\\[erased]\\n[erased]'],
  ['Ann Quist', 'Ann: Quist (Ann) Quist', 'Ann: Quist (Ann) Quist'],
  ['김 민준호수', '김 민준호수', '[erased]'],
])('the matcher finds %s in %s', (name, text, expected) => {
  expect(buildMatcher({ email: null, names: [name] })!.replace(text)).toBe(expected);
});

test.each([
  ['jörg@x.example', 'to JÖRG@X.example, jo\u0308rg@x.example', 'to [erased], [erased]'],
  [
    '"a b"@x.example',
    'by "a b"@x.example and {"by":"\\"a b\\"@x.example"}',
    'by [erased] and {"by":"[erased]"}',
  ],
  ['a^b@x.example', 'a^b@x.example, aa^b@x.example', '[erased], aa^b@x.example'],
])('the matcher finds the address %s in %s', (email, text, expected) => {
  expect(buildMatcher({ email, names: [] })!.replace(text)).toBe(expected);
});

test('rows are read and written in batches of a limited size, and large rows alone', () => {
  const most = { rows: 3, bytes: 10 };
  expect(
    [...groupsOf(Array.from('abcdefgh'), [1, 1, 1, 1, 9, 11, 5, 5], most)].map((group) => group.join('')),
  ).toEqual(['abc', 'de', 'f', 'gh']);
});
