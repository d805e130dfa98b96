import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';
import { pathOfTest } from '../../src/path-of-test.ts';

const PAGE = readFileSync(path.join(REPOSITORY_ROOT, 'ARCHITECTURE.md'), 'utf8');

/** Expands a name with alternatives, such as `faults/{outages,replicas}.test.ts`. */
function expanded(name: string): string[] {
  const [, before = '', alternatives = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
  return alternatives === '' ? [name] : alternatives.split(',').map((one) => before + one + after);
}

/** Returns the files below a folder of the repository, without those that are installed or built. */
function filesBelow(folder: string): string[] {
  return readdirSync(path.join(REPOSITORY_ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

test('every invariant names tests that prove it', () => {
  const section = PAGE.slice(PAGE.indexOf('## Invariants'), PAGE.indexOf('## Four walks'));
  const invariants = section.split(/^\d+\. /m).slice(1);
  expect(invariants).toHaveLength(10);
  for (const invariant of invariants) expect(invariant).toMatch(/\.test\.ts`/);
});

test('every test and fault that the page names exists', () => {
  const names = Array.from(PAGE.matchAll(/`([a-z-]+\/\S+\.test\.ts)`/g), ([, name = '']) => name);
  const tests = names.flatMap(expanded).map(pathOfTest);
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| '));
  const faults = rows.flatMap((row) =>
    Array.from((row.split('|')[3] ?? '').matchAll(/`([a-z-]+(?:\/[a-z-]+)?)`/g), ([, name = '']) =>
      pathOfTest(`faults/${name}.test.ts`),
    ),
  );
  expect([tests.length > 30, faults.length > 15]).toEqual([true, true]);
  expect([...tests, ...faults].filter((file) => !existsSync(path.join(REPOSITORY_ROOT, file)))).toEqual([]);
});

test('every source file that the page names exists', () => {
  const files = ['apps', 'packages', 'prisma'].flatMap(filesBelow);
  const names = Array.from(PAGE.matchAll(/`([^`*\s]+\.(?:ts|sql))`/g), ([, name = '']) => name)
    .flatMap(expanded)
    .filter((name) => !name.endsWith('.test.ts'));
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});
