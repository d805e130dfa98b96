import { existsSync, readFileSync } from 'node:fs';
import type { Cursors } from './cursor-store.ts';
import { replaceFile } from './replace-file.ts';
import { StoreConflict } from './store.ts';

/**
 * Keeps cursors in a file, for `cursorStore`. There are no transactions: the handler of a page runs before its cursor is
 * stored, and again if the program crashes in between.
 *
 * @param file a path. The file is created when the first cursor is stored. Its folder must exist.
 */
export function cursorFile(file: string): Cursors<undefined> {
  return {
    transaction: (run) => run(undefined),
    read: (name) => readTexts(file)[name] ?? null,
    write: (name, text) =>
      replaceFile(file, `${JSON.stringify({ ...readTexts(file), [name]: text }, null, 2)}\n`),
  };
}

function readTexts(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && Object.values(value).every(isText)) {
      return value as Record<string, string>;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StoreConflict(`${file} is damaged; delete it to read everything again`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
