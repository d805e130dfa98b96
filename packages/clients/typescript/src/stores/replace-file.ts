import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Replaces a small file atomically: readers see the old content or the new one, also after a power failure. */
export function replaceFile(file: string, text: string): void {
  const next = `${file}.new`;
  writeFileSync(next, text, { flush: true });
  renameSync(next, file);
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
