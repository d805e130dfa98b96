import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { z } from 'zod';

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

/** Writes a value as JSON into a private file. */
export function writePrivateJson(file: string, value: unknown): Promise<void> {
  return writePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Reads a JSON file. Returns undefined if it does not exist.
 *
 * @param remedy how to fix a damaged file.
 * @throws Error if the file exists but does not match the schema.
 */
export async function readJson<T>(
  file: string,
  schema: z.ZodType<T>,
  remedy: string,
): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is damaged: ${remedy}`, { cause: error });
  }
}
