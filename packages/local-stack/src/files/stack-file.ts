import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from './private-file.ts';

const stackSchema = z.object({
  /** Base URL of the API, including `/api/v1`. */
  apiUrl: z.url(),
  /** Base URL of the worker's `/healthz`, `/readyz` and `/metrics`. */
  workerUrl: z.url(),
  /** Base URL of the port that takes in records, and a token for it. */
  captureUrl: z.url(),
  captureToken: z.string(),
  databaseUrl: z.string(),
  redisUrl: z.string(),
  /** Path of the certificate authority (PEM) that issues the certificates of local HTTPS receivers. */
  caFile: z.string(),
  /** The demo workspaces; empty without the demo. */
  companies: z.array(
    z.object({ id: z.int(), name: z.string(), apiKey: z.string(), sessionToken: z.string() }),
  ),
});

/** The addresses and credentials of a running stack. */
export type Stack = z.infer<typeof stackSchema>;

/** Writes `stack.json`. It contains keys, so only its owner can read it. */
export async function writeStackFile(folder: string, stack: Stack): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writePrivateFile(stackFile(folder), `${JSON.stringify(stackSchema.parse(stack), null, 2)}\n`);
}

/**
 * Reads `stack.json`.
 *
 * @returns undefined if no stack is running.
 * @throws Error if the file exists but is not a valid stack file.
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
    throw new Error(`${stackFile(folder)} is damaged: stop the stack and delete it`, { cause: error });
  }
}

/** Deletes `stack.json` if it exists. */
export function removeStackFile(folder: string): Promise<void> {
  return rm(stackFile(folder), { force: true });
}

function stackFile(folder: string): string {
  return path.join(folder, 'stack.json');
}
