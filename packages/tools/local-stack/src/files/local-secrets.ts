import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readJson, writePrivateJson } from './private-file.ts';

const secretsSchema = z.object({
  /** Signs admin session tokens. */
  SESSION_JWT_SECRET: z.string().min(1),
  /** Encrypts webhook signing secrets: 32 bytes, base64. */
  SECRETS_KEY: z.string().min(1),
});

/** The secrets of this checkout's stack, named after the environment variables that they replace. */
export type LocalSecrets = z.infer<typeof secretsSchema>;

const secretsFile = (folder: string): string => path.join(folder, 'secrets.json');

/**
 * Reads the secrets, and generates them on the first start. They do not change between starts: the signing secrets in
 * the database can only be decrypted with the key that encrypted them.
 *
 * @throws Error if the file exists but is unusable. It is never replaced.
 */
export async function openLocalSecrets(folder: string): Promise<LocalSecrets> {
  const kept = await readLocalSecrets(folder);
  if (kept !== undefined) return kept;
  const secrets: LocalSecrets = {
    SESSION_JWT_SECRET: randomBytes(32).toString('base64url'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  await mkdir(folder, { recursive: true });
  await writePrivateJson(secretsFile(folder), secrets);
  return secrets;
}

/** Reads the secrets. Returns undefined if no stack was ever started here. */
export function readLocalSecrets(folder: string): Promise<LocalSecrets | undefined> {
  return readJson(secretsFile(folder), secretsSchema, 'repair it, or delete it and start with --fresh');
}
