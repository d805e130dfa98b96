import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { chartsOf } from './charts.ts';
import { fillPage, type Measurements } from './performance-page.ts';

// `pnpm bench:page`: writes the tables of docs/performance.md and draws its charts, from the measurements next to them.
// With `--check`, it writes nothing, names what it would change, and exits with 1 in that case.

const DOCS = path.join(REPOSITORY_ROOT, 'docs');
const PAGE = 'performance.md';
const FOLDER = 'performance';

const isCheck = process.argv.includes('--check');
const bench = await readMeasurements('bench');
const growth = await readMeasurements('growth');
const page = await readFile(path.join(DOCS, PAGE), 'utf8');

/** The text of every file, by its path below docs; null if it must not be there. */
const files = new Map<string, string | null>([[PAGE, fillPage(page, { bench, growth }, FOLDER)]]);
for (const file of await readdir(path.join(DOCS, FOLDER))) {
  if (file.endsWith('.svg')) files.set(`${FOLDER}/${file}`, null);
}
for (const { file, svg } of [bench, growth].flatMap(({ rows }) => chartsOf(rows))) {
  files.set(`${FOLDER}/${file}`, svg);
}
for (const [name, text] of files) {
  const file = path.join(DOCS, name);
  if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
  process.stdout.write(`${name} ${isCheck ? 'is out of date' : 'written'}\n`);
  if (isCheck) process.exitCode = 1;
  else if (text === null) await rm(file);
  else await writeFile(file, text);
}

async function readMeasurements(name: string): Promise<Measurements> {
  return JSON.parse(await readFile(path.join(DOCS, FOLDER, `${name}.json`), 'utf8')) as Measurements;
}
