import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner can read. The write is atomic: readers see the old text or the new one. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
