import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '../files/private-file.ts';

/**
 * Returns the password of the PostgreSQL superuser. It is generated once and kept next to the data. Any account on the
 * machine can connect to a loopback port, and a superuser can read and write files as the user that runs the server, so
 * `trust` authentication is unsafe.
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
