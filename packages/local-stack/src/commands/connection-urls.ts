import { readStackFile } from '../files/stack-file.ts';

/** Neither the environment nor a running stack names the service. */
export class NoConnectionError extends Error {}

/**
 * Returns the PostgreSQL URL for a command: `DATABASE_URL`, or else that of the running stack of this checkout.
 *
 * @throws NoConnectionError
 */
export function findDatabaseUrl(environment: NodeJS.ProcessEnv, localFolder: string): Promise<string> {
  return findUrl('DATABASE_URL', 'databaseUrl', environment, localFolder);
}

/**
 * Returns the Redis URL for a command: `REDIS_URL`, or else that of the running stack of this checkout.
 *
 * @throws NoConnectionError
 */
export function findRedisUrl(environment: NodeJS.ProcessEnv, localFolder: string): Promise<string> {
  return findUrl('REDIS_URL', 'redisUrl', environment, localFolder);
}

async function findUrl(
  variable: string,
  field: 'databaseUrl' | 'redisUrl',
  environment: NodeJS.ProcessEnv,
  localFolder: string,
): Promise<string> {
  // An empty variable counts as absent.
  const url = environment[variable] || (await readStackFile(localFolder))?.[field];
  if (url === undefined) {
    throw new NoConnectionError(
      `No stack is running in this checkout: start it with "pnpm start", or set ${variable}`,
    );
  }
  return url;
}
