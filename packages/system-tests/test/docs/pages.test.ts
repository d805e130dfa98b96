import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { CONTRACT_SCHEDULE_MS } from '@deal-signals/deliveries/attempts/retry-schedule';
import { describe, expect, test } from '@jest/globals';
import { STATUS_OF_CODE } from '../../../../apps/api/src/http/errors.ts';
import { askPython, DOCS, HAS_PYTHON, PAGES, programOf, programsOf, readPage, unpack } from './programs.ts';

const UNITS_MS: Record<string, number> = { second: 1_000, minute: 60_000, hour: 3_600_000 };

describe('errors-and-limits.md', () => {
  test('lists every error code with its status', () => {
    const rows = readPage('errors-and-limits.md').matchAll(/^\| `([A-Z_]+)` +\| (\d{3}) /gm);
    const listed = Object.fromEntries(Array.from(rows, ([, code, status]) => [code, Number(status)]));
    expect(listed).toEqual(STATUS_OF_CODE);
  });

  test('tells the waits of the retry schedule', () => {
    const rows = readPage('errors-and-limits.md').matchAll(/^\| \d +\| (\d+) (second|minute|hour)s? /gm);
    const waits = Array.from(rows, ([, count, unit = '']) => Number(count) * (UNITS_MS[unit] ?? 0));
    expect(waits).toEqual(CONTRACT_SCHEDULE_MS.slice(0, 7));
  });
});

test('the TypeScript programs compile under strict rules', () => {
  const typescript = PAGES.flatMap(programsOf).filter(({ file }) => file.endsWith('.mts'));
  for (const program of typescript) {
    const flags = '--noEmit --strict --noUncheckedIndexedAccess --erasableSyntaxOnly --skipLibCheck';
    const target = '--target es2023 --module nodenext --types node';
    const { stdout, status } = spawnSync(
      path.join(REPOSITORY_ROOT, 'node_modules/.bin/tsc'),
      [
        ...`${flags} ${target} --typeRoots`.split(' '),
        path.join(REPOSITORY_ROOT, 'node_modules/@types'),
        path.join(unpack(program), program.file),
      ],
      { encoding: 'utf8' },
    );
    expect([program.file, stdout, status]).toEqual([program.file, '', 0]);
  }
});

// dlt itself is not among our dependencies: only its syntax is checked here.
test(`loaders.md, dlt: the program ${HAS_PYTHON ? 'is valid Python' : 'IS NOT CHECKED without python3'}`, () => {
  const folder = unpack(programOf('loaders.md', 'deal_signals_dlt.py'));
  if (!HAS_PYTHON) return;
  const compile = 'import py_compile\npy_compile.compile("deal_signals_dlt.py", doraise=True)\nprint(1)';
  expect(askPython(folder, compile)).toBe(1);
});

test('the README leads to every page, and every link leads somewhere', () => {
  const pages = [path.join(REPOSITORY_ROOT, 'README.md'), ...PAGES.map((page) => path.join(DOCS, page))];
  const links = pages.flatMap((page) =>
    Array.from(
      readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)/g),
      ([, to = '', anchor]) => ({ from: page, to: path.join(path.dirname(page), to), anchor }),
    ),
  );
  const linked = links.filter(({ from }) => from === pages[0]).map(({ to }) => to);
  expect(linked).toEqual(expect.arrayContaining(pages.slice(1)));
  for (const { from, to, anchor } of links) {
    expect([from, to, existsSync(to)]).toEqual([from, to, true]);
    if (anchor === undefined) continue;
    const headings = Array.from(readFileSync(to, 'utf8').matchAll(/^#+ (.*)$/gm), ([, text = '']) =>
      text.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toContain(anchor);
  }
});
