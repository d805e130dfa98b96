import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const SOURCE = path.join(import.meta.dirname, '../src');
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

/** Returns the files that match an expression. */
const filesWith = (expression: RegExp) =>
  FILES.filter((file) => expression.test(readFileSync(path.join(SOURCE, file), 'utf8'))).toSorted();

test('only the module of the kept token uses browser storage', () => {
  expect(filesWith(/\b(sessionStorage|localStorage|indexedDB)\b/)).toEqual(['session/kept-token.ts']);
});

test('only the module that offers sessions reads the kept token', () => {
  expect(filesWith(/\bkeptToken\b/)).toEqual(['session/kept-token.ts', 'session/offer.ts']);
});
