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

test('only the module of the token storage uses the storage of the browser', () => {
  expect(filesWith(/\b(sessionStorage|localStorage|indexedDB)\b/)).toEqual(['session/token-storage.ts']);
});

test('only the module that offers sessions reads the stored token', () => {
  expect(filesWith(/\bstoredToken\b/)).toEqual(['session/offer.ts', 'session/token-storage.ts']);
});
