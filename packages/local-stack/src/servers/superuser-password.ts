import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '../files/private-file.ts';

/**
 * The password of a PostgreSQL superuser, made once and kept beside the data. Every account of the machine reaches a
 * loopback port, and whoever rules the server reads and writes files as the user that runs it: no trust by address.
 */
export async function superuserPassword(dataDir: string): Promise<{ password: string; file: string }> {
  const file = path.join(dataDir, 'password');
  try {
    return { password: await readFile(file, 'utf8'), file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const password = randomBytes(24).toString('base64url');
  await writePrivateFile(file, password);
  return { password, file };
}
