import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { describe, expect, test } from '@jest/globals';
import { askPython, copyExamples, DOCS, HAS_PYTHON } from './programs.ts';

const PYTHON = HAS_PYTHON ? 'python3 is here' : 'PYTHON3 IS NOT ON THIS MACHINE: its programs are not run';

const TYPES = path.join(REPOSITORY_ROOT, 'node_modules/@types');

describe(`docs/examples; ${PYTHON}`, () => {
  test('the TypeScript programs compile under strict rules outside this repository', () => {
    const { stdout, status } = spawnSync(
      path.join(REPOSITORY_ROOT, 'node_modules/.bin/tsc'),
      `-p ${copyExamples('.')} --customConditions source --typeRoots ${TYPES}`.split(' '),
      { encoding: 'utf8' },
    );
    expect([stdout, status]).toEqual(['', 0]);
  });

  // dlt is not a dependency of this repository, so only the syntax is checked here.
  test(`the dlt program ${HAS_PYTHON ? 'is valid Python' : 'IS NOT CHECKED without python3'}`, () => {
    if (!HAS_PYTHON) return;
    const compile = 'import py_compile\npy_compile.compile("deal_signals_dlt.py", doraise=True)\nprint(1)';
    expect(askPython(copyExamples('loaders'), compile)).toBe(1);
  });
});

test('the README and the index of the documents link to every page or its folder, and no link is broken', () => {
  const docs = readdirSync(DOCS, { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((file) => file.endsWith('.md')).map((file) => path.join(DOCS, file));
  const root = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', '.github/SECURITY.md'].map(
    (file) => path.join(REPOSITORY_ROOT, file),
  );
  const links = [...root, ...pages].flatMap((page) =>
    Array.from(
      readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g),
      ([, to = '', anchor]) => ({
        from: page,
        to: to === '' ? page : path.join(path.dirname(page), to),
        anchor,
      }),
    ),
  );
  const indexes = [path.join(REPOSITORY_ROOT, 'README.md'), path.join(DOCS, 'README.md')];
  const linked = new Set(links.filter(({ from }) => indexes.includes(from)).map(({ to }) => to));
  const missed = [...root, ...pages].filter(
    (page) => page !== indexes[0] && !linked.has(page) && !linked.has(path.dirname(page)),
  );
  expect(missed).toEqual([]);
  for (const { from, to, anchor } of links) {
    expect([from, to, existsSync(to)]).toEqual([from, to, true]);
    if (anchor === undefined) continue;
    const headings = Array.from(readFileSync(to, 'utf8').matchAll(/^#+ (.*)$/gm), ([, text = '']) =>
      text.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toContain(anchor);
  }
});
