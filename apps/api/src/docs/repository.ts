import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout, or the image, is four levels above this file, in `src` and in `dist` alike. */
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');

/** Files in `docs` that are no pages and that a reader may want: whole programs, configurations and data. */
const DOWNLOADS = ['capture-records.schema.json', 'deal-signals.postman_collection.json'];
/** Settings of our own type checker, which nobody wants to copy. */
const NOT_SHOWN = new Set(['docs/examples/README.md', 'docs/examples/tsconfig.json']);

/** Reads a text file, named by its path from the root of the repository. */
export function readText(file: string): Promise<string> {
  return readFile(path.join(ROOT, file), 'utf8');
}

/** Lists the files of `docs` that are shown as they are, by their paths from the root of the repository, sorted. */
export async function listShownFiles(): Promise<string[]> {
  const entries = await readdir(path.join(ROOT, 'docs/examples'), { recursive: true, withFileTypes: true });
  const examples = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    // Python leaves compiled files next to the programs that it has run.
    .filter((file) => /\.(mts|py|go|yaml)$/.test(file) && !NOT_SHOWN.has(file));
  return [...examples, ...DOWNLOADS.map((name) => `docs/${name}`)].toSorted();
}
