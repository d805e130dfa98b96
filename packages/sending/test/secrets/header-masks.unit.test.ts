import { describe, expect, test } from '@jest/globals';
import type { CustomHeader } from '../../src/headers/custom-headers.ts';
import { maskHeaderValues } from '../../src/headers/header-masks.ts';
import { toExcerpt } from '../../src/guard/response-excerpt.ts';

const HEADERS: CustomHeader[] = [['Authorization', 'Basic dXNlcjpwYXNzd29yZA==']];

test.each([
  ['the whole value', '{"authorization":"Basic dXNlcjpwYXNzd29yZA=="}', '{"authorization":"[hidden]"}'],
  ['a part of it', 'user dXNlcjpwYXNzd29yZA== is unknown', 'user [hidden] is unknown'],
  ['several of them', 'dXNlcjpwYXNzd29yZA==, dXNlcjpwYXNzd29yZA==', '[hidden], [hidden]'],
  ['the beginning of one, where the text was cut', 'got dXNlcjpwYX', 'got [hidden]'],
  ['the beginning of the whole value', 'got Basic dX', 'got [hidden]'],
  ['only four characters of that beginning', 'got dXNl', 'got [hidden]'],
  ['fewer, which say nothing', 'got dXN', 'got dXN'],
  ['what it says in base64', 'user:password is wrong', '[hidden] is wrong'],
  ['a part of what it says', 'the password “password” is wrong', 'the [hidden] “[hidden]” is wrong'],
  ['the name of its scheme', 'expected Basic, got Bearer', 'expected Basic, got Bearer'],
])('a response that contains %s does not show it', (_, text, masked) => {
  expect(maskHeaderValues(text, HEADERS)).toBe(masked);
});

test('a value that is part of another one leaves nothing of that to see', () => {
  const headers: CustomHeader[] = [
    ['X-Short', 'abcdefgh'],
    ['X-Long', 'abcdefgh-ijklmnop'],
  ];
  expect(maskHeaderValues('got abcdefgh-ijklmnop, abcdefgh', headers)).toBe('got [hidden], [hidden]');
});

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const everyCharacter = (write: (code: string) => string) => (text: string) =>
  Array.from(text, (letter) => write(letter.charCodeAt(0).toString(16).padStart(2, '0'))).join('');

const ENCODINGS: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in upper case', (text) => text.toUpperCase()],
  ['in JSON', json],
  ['in JSON in JSON', (text) => json(json(text))],
  ['in JSON with every slash escaped', (text) => json(text).replaceAll('/', String.raw`\/`)],
  ['in \\u escapes', everyCharacter((code) => String.raw`\u00${code}`)],
  ['in \\u escapes in upper case', everyCharacter((code) => String.raw`\u00${code.toUpperCase()}`)],
  ['in \\x escapes', everyCharacter((code) => String.raw`\x${code}`)],
  ['in a URL', encodeURIComponent],
  ['in a URL with hexadecimal digits in lower case', (text) => encodeURIComponent(text).toLowerCase()],
  ['in a form', (text) => new URLSearchParams({ text }).toString().slice('text='.length)],
  ['in a URL, every character', everyCharacter((code) => `%${code}`)],
  ['in a URL in a URL', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['in JSON in a URL', (text) => encodeURIComponent(json(text))],
  ['in a URL in JSON', (text) => json(encodeURIComponent(text))],
  [
    'in HTML',
    (text) =>
      text.replaceAll(/[&"<>']/g, (letter) => (letter === '"' ? '&quot;' : `&#${letter.charCodeAt(0)};`)),
  ],
  ['in HTML, every character', everyCharacter((code) => `&#x${code};`)],
  ['in base64', base64],
  ['in base64 without padding', (text) => base64(text).replaceAll('=', '')],
  ['in base64 for URLs', (text) => Buffer.from(text).toString('base64url')],
  ['in base64, one byte further', (text) => base64(`.${text}`)],
  ['in base64, two bytes further', (text) => base64(`..${text}`)],
  ['in base64, before other text', (text) => base64(`${text}\n`)],
  ['in base64 of JSON', (text) => base64(JSON.stringify({ headers: { authorization: text } }))],
  ['in base64 of base64', (text) => base64(`Basic ${base64(`user:${text}`)}`)],
  ['in base64 in a URL', (text) => encodeURIComponent(base64(text))],
  ['in base64 behind a path', (text) => `/logs/${base64(text)}`],
  ['in base64 in JSON', (text) => base64(text).replaceAll('/', String.raw`\/`)],
  [
    'in base64 in lines',
    (text) => base64(`${'-'.repeat(50)}${text}${'-'.repeat(50)}`).replaceAll(/.{76}/g, '$&\r\n'),
  ],
];

const VALUES = [
  'Basic pa"ss\\w0rd',
  's3cr3t7',
  'q"7/',
  'a1b2',
  'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'token=two words & <three>; scope="a/b+c"',
  '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  '%22%5c\\u0022&quot;%41%42',
];

describe.each(ENCODINGS)('a value %s', (_, encode) => {
  test.each(VALUES)('is masked: %s', (value) => {
    const masked = maskHeaderValues(`{"got":"${encode(value)}"}`, [['X-Key', value]]);
    expect(masked).toMatch(/^\{"got":"[^\w]*\[hidden\][^\w]*"\}$/);
  });
});

test.each([
  ['cut in the middle of a text', 'got eyJhbGciOiJIUzI1NiJ9… from you', 'got [hidden]… from you'],
  ['broken into lines', 'eyJhbGciOiJIUzI1NiJ9.eyJzd\n  WIiOiIxMjM0NTY3', '[hidden]\n  [hidden]'],
  ['without its scheme', '{"token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3"}', '{"token":"[hidden]"}'],
])('a long value is masked if it is %s', (_, text, masked) => {
  const headers = [['Authorization', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3']] as const;
  expect(maskHeaderValues(text, headers)).toBe(masked);
});

test.each([
  ['a token', 'Bearer s3cr3t7', 'no token s3cr3t7 here'],
  ['a cookie', 'theme=dark; session=s3cr3t7', '{"cookies":{"session":"s3cr3t7"}}'],
  ['a parameter in quotes', 'Signature key="s3cr3t7",v=1', 'key s3cr3t7'],
  ['a password', 'user:s3cr3t7', 'password s3cr3t7'],
])('%s in a value is masked by itself', (_, value, text) => {
  expect(maskHeaderValues(text, [['X-Key', value]])).toBe(text.replace('s3cr3t7', '[hidden]'));
});

describe('of a text with a value of one to three characters', () => {
  test.each([
    ['7', 'no tenant 7'],
    ['7', '{"x-tenant":"7"}'],
    ['7', '%7b%22x-tenant%22%3a%22%37%22%7d'],
    ['7', base64('{"x-tenant":"7"}')],
    ['7', 'Nw=='],
    ['eu', 'Region: EU'],
    ['a"b', String.raw`{"x":"a\"b"}`],
    ['abc', String.raw`one\nabc`],
  ])('%s, nothing is shown: %s', (value, text) => {
    expect(maskHeaderValues(text, [['X-Tenant', value]])).toBe('[hidden]');
  });

  test.each([
    ['7', 'no tenant 17, 70 of 170'],
    ['eu', 'the queue is full'],
    ['the', 'other methods'],
    ['7', 'Service Temporarily Unavailable: upstream connect error'],
    ['7', '<html><head><title>502 Bad Gateway</title></head><body>nginx/1.25.3</body></html>'],
    ['ab', randomLookingText()],
  ])('%s within other words and numbers, everything is: %s', (value, text) => {
    expect(maskHeaderValues(text, [['X-Tenant', value]])).toBe(text);
  });
});

test('an ordinary text stays as it is next to values that have words in common with it', () => {
  const headers: CustomHeader[] = [
    ['X-Environment', 'production-eu'],
    ['X-Format', 'application/vnd.acme+json'],
    ['Authorization', 'Bearer 1kJ9-the-gateway'],
  ];
  const text =
    '{"error":"Production is down for maintenance, the application answers again soon: see /status?from=hooks%20api&lang=en"}';
  expect(maskHeaderValues(text, headers)).toBe(text);
});

test('a header of prose hides all, instead of being looked for word by word', () => {
  const prose = Array.from({ length: 300 }, (_, n) => `word${n}`).join(' ');
  expect(maskHeaderValues('fine', [['X-Prose', prose]])).toBe('[hidden]');
});

describe('where the text is cut', () => {
  const value = `Bearer ${'k9-Xq2_'.repeat(10)}`;
  const shownOf = (body: string) => toExcerpt(Buffer.from(body), [['Authorization', value]]);

  test.each(Array.from({ length: 14 }, (_, n) => 1_024 - n * 3))(
    'a value that begins at byte %i is masked',
    (at) => {
      for (const written of [
        value,
        base64(value),
        encodeURIComponent(value),
        everyCharacter((code) => `%${code}`)(value),
      ]) {
        const filler = '.'.repeat(at);
        expect(shownOf(`${filler}${written} and more`)).toBe(`${filler}[hidden]`.slice(0, 1_024));
      }
    },
  );

  test('masks make a text neither longer than 1 KiB nor show what comes after that', () => {
    const short = Array.from({ length: 500 }, () => 'ab12').join(' ');
    expect(toExcerpt(Buffer.from(short), [['X-Key', 'ab12']])).toHaveLength(1_024);
    expect(shownOf(`${value} `.repeat(40))).toMatch(/^(\[hidden\] )+(\[hidden\])?$/);
    expect(shownOf(`${value}${'.'.repeat(3_000)}`)).toBe(`[hidden]${'.'.repeat(1_024 - value.length)}`);
  });

  test('characters beyond ASCII before a value do not move its mask', () => {
    expect(shownOf(`Grüße 🎉🎉 ${value} 🎉`)).toBe('Grüße 🎉🎉 [hidden] 🎉');
  });
});

/** Words of all kinds, of which many can be read as base64. */
function randomLookingText(): string {
  return Array.from({ length: 200 }, (_, n) => `w${(n * 7_919).toString(36)}`).join(' ');
}
