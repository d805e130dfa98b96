import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';
import { readPage } from './programs.ts';

const CONSOLE = path.join(REPOSITORY_ROOT, 'apps/console/src');
const TASKS = /^## Tasks\n([\s\S]*?)(?=^## )/m.exec(readPage('console.md'))?.[1] ?? '';
const LABELS = [...new Set(Array.from(TASKS.matchAll(/"([^"\n]+)"/g), ([, label = '']) => label))];

test('the console has every label that the tasks of its guide name', () => {
  const sources = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'))
    .map((file) => readFileSync(path.join(CONSOLE, file), 'utf8'))
    .join('\n');
  expect(LABELS.length).toBeGreaterThan(15);
  expect(LABELS.filter((label) => !sources.includes(label))).toEqual([]);
});
