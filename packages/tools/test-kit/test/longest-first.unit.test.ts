import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';

const LIST = path.join(import.meta.dirname, '../slow-tests.json');

const listed = Object.entries(JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, number>);

test('every file in the list of slow tests exists', () => {
  expect(listed.length).toBeGreaterThan(0);
  expect(
    listed.map(([file]) => file).filter((file) => !existsSync(path.join(REPOSITORY_ROOT, file))),
  ).toEqual([]);
});
