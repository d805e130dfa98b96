import { readEnvironment, urlWithScheme, wholeNumber } from '@deal-signals/runtime/read-environment';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const USAGE =
  'usage: pnpm start [--no-demo] [--fresh]\n' +
  '  --no-demo  an empty database: no demo data, no live sale, no receiver\n' +
  '  --fresh    drop the local data first';

const variables = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  DISPATCH_TICK_MS: wholeNumber(10, 3_600_000, 15_000),
  DATABASE_URL: urlWithScheme('postgresql', 'postgres').optional(),
  REDIS_URL: urlWithScheme('redis', 'rediss').optional(),
});

export interface StartOptions {
  demo: boolean;
  fresh: boolean;
  /** Where to look first for a free port; 0 takes any. */
  port: number;
  tickMs: number;
  /** Used instead of an embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Used instead of a Redis of our own. */
  redisUrl: string | undefined;
}

/** A flag that does not exist, with how it is meant. */
export class UsageError extends Error {}

/**
 * Reads what was asked for.
 * @throws UsageError; ConfigurationError that names the variables that are wrong.
 */
export function readStartOptions(args: string[], environment: NodeJS.ProcessEnv): StartOptions {
  const flags = parseFlags(args);
  const given = readEnvironment(variables, environment);
  return {
    demo: !flags['no-demo'],
    fresh: flags.fresh,
    port: given.PORT,
    tickMs: given.DISPATCH_TICK_MS,
    databaseUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
  };
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({
      args,
      strict: true,
      options: {
        'no-demo': { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}
