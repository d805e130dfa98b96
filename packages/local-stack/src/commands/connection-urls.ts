import { readStackFile } from '../files/stack-file.ts';

/** Neither the environment nor a running stack says where a service is. */
export class NoConnectionError extends Error {}

/** Where a command finds PostgreSQL: `DATABASE_URL`, else the running stack of this checkout. */
export function findDatabaseUrl(environment: NodeJS.ProcessEnv, localFolder: string): Promise<string> {
  return findUrl('DATABASE_URL', 'databaseUrl', environment, localFolder);
}

/** Where a command finds Redis: `REDIS_URL`, else the running stack of this checkout. */
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
      `No stack runs in this checkout: start it with "pnpm start", or set ${variable}`,
    );
  }
  return url;
}
