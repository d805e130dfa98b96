import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readJson, writePrivateJson } from './private-file.ts';

const stackSchema = z.object({
  /** Base URL of the API, including `/api/v1`. */
  apiUrl: z.url(),
  /** Base URL of the worker's `/healthz`, `/readyz` and `/metrics`. */
  workerUrl: z.url(),
  /** Base URL of the port that accepts records, and a token for it. */
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

const stackFile = (folder: string): string => path.join(folder, 'stack.json');

/** Writes `stack.json`. It contains keys, so only its owner can read it. */
export async function writeStackFile(folder: string, stack: Stack): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writePrivateJson(stackFile(folder), stack);
}

/**
 * Reads `stack.json`. Returns undefined if no stack is running.
 *
 * @throws Error if the file is damaged.
 */
export function readStackFile(folder: string): Promise<Stack | undefined> {
  return readJson(stackFile(folder), stackSchema, 'stop the stack and delete it');
}

/** Deletes `stack.json` if it exists. */
export function removeStackFile(folder: string): Promise<void> {
  return rm(stackFile(folder), { force: true });
}

/**
 * Returns the PostgreSQL URL for a command: `DATABASE_URL`, or else the URL of the running stack.
 *
 * @throws Error that explains how to provide one.
 */
export async function findDatabaseUrl(environment: NodeJS.ProcessEnv, folder: string): Promise<string> {
  // An empty variable counts as absent.
  const url = environment['DATABASE_URL'] || (await readStackFile(folder))?.databaseUrl;
  if (url !== undefined) return url;
  throw new Error('No stack is running in this checkout: start it with "pnpm start", or set DATABASE_URL');
}

/**
 * Adds the URL and the API key of the running stack's first demo workspace to an environment. Leaves the environment unchanged
 * if it names an API, or if no demo is running.
 */
export async function withDemoAccess(
  environment: NodeJS.ProcessEnv,
  folder: string,
): Promise<NodeJS.ProcessEnv> {
  if (environment['DEAL_SIGNALS_URL'] || environment['DEAL_SIGNALS_API_KEY']) return environment;
  const stack = await readStackFile(folder);
  const apiKey = stack?.companies[0]?.apiKey;
  if (stack === undefined || apiKey === undefined) return environment;
  return { ...environment, DEAL_SIGNALS_URL: stack.apiUrl, DEAL_SIGNALS_API_KEY: apiKey };
}
