import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';

const LIST = path.join(import.meta.dirname, '../slow-tests.json');
/** A file for Jest, without types. */
const SEQUENCER = '../longest-first-sequencer.mjs';

interface TestFile {
  path: string;
  context: unknown;
}

const listed = Object.entries(JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, number>);

test('every file in the list of slow tests exists', () => {
  expect(listed.length).toBeGreaterThan(0);
  expect(
    listed.map(([file]) => file).filter((file) => !existsSync(path.join(REPOSITORY_ROOT, file))),
  ).toEqual([]);
});

test('a fresh clone starts the longest files first', async () => {
  const { default: LongestFirst } = (await import(SEQUENCER)) as {
    default: new () => { time(file: TestFile): number };
  };
  const [longest, next] = listed.toSorted(([, one], [, other]) => other - one).map(([file]) => file);
  const context = { config: { cache: false } };
  const files = ['packages/test-kit/test/not-listed.test.ts', next!, longest!];
  const sequencer = new LongestFirst();
  const timeOf = (file: string) => sequencer.time({ path: path.join(REPOSITORY_ROOT, file), context });
  expect(files.toSorted((one, other) => timeOf(other) - timeOf(one))).toEqual([longest, next, files[0]]);
});
