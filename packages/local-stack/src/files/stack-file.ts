import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from './private-file.ts';

const stackSchema = z.object({
  /** Base URL of the API, `/api/v1` included. */
  apiUrl: z.url(),
  /** Base URL of the worker's `/healthz`, `/readyz` and `/metrics`. */
  workerUrl: z.url(),
  databaseUrl: z.string(),
  redisUrl: z.string(),
  /** PEM file of the certificate authority for local HTTPS receivers. */
  caFile: z.string(),
  /** The demo's workspaces; empty without the demo. */
  companies: z.array(
    z.object({ id: z.int(), name: z.string(), apiKey: z.string(), sessionToken: z.string() }),
  ),
});

/** Where a running stack is, and the credentials to use it. */
export type Stack = z.infer<typeof stackSchema>;

/** Writes `stack.json`. It holds keys, so only its owner may read it. */
export async function writeStackFile(folder: string, stack: Stack): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writePrivateFile(stackFile(folder), `${JSON.stringify(stackSchema.parse(stack), null, 2)}\n`);
}

/**
 * Reads `stack.json`.
 *
 * @returns undefined when no stack runs.
 * @throws Error when the file exists and is not one of ours.
 */
export async function readStackFile(folder: string): Promise<Stack | undefined> {
  let text: string;
  try {
    text = await readFile(stackFile(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return stackSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${stackFile(folder)} is damaged: stop the stack and remove it`, { cause: error });
  }
}

/** Removes `stack.json`, if it is there. */
export function removeStackFile(folder: string): Promise<void> {
  return rm(stackFile(folder), { force: true });
}

function stackFile(folder: string): string {
  return path.join(folder, 'stack.json');
}
