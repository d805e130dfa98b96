import { parseArgs } from 'node:util';
import { DATABASE_URL_MESSAGE, isDatabaseUrl } from '@deal-signals/db/database-url';
import { readEnvironment } from '@deal-signals/runtime/read-environment';
import { redisUrl } from '@deal-signals/runtime/redis/address';
import { wholeNumber } from '@deal-signals/runtime/settings';
import { z } from 'zod';

/** The text that `--help` prints. */
export const USAGE = `usage: pnpm start [--no-demo] [--fresh] [--no-install] [--reload]
  --no-demo     no demo data, no simulated sale, no receiver
  --fresh       delete the local data first
  --no-install  if Redis is missing, fail instead of installing a Debian package
  --reload      restart the API and the worker when their source changes

Environment: PORT, the first port to try (3000); DATABASE_URL and REDIS_URL, servers of your own; DISPATCH_TICK_MS (15000); and
the settings of the apps (docs/operators/settings.md).`;

const variables = z.object({
  PORT: wholeNumber({ min: 0, max: 65_535, preset: 3000, about: 'the first port to try for the API' }),
  DISPATCH_TICK_MS: wholeNumber({
    min: 10,
    max: 3_600_000,
    preset: 15_000,
    about: 'tick interval that the screen shows; the worker reads the variable itself',
  }),
  DATABASE_URL: z
    .string({ error: DATABASE_URL_MESSAGE })
    .refine(isDatabaseUrl, DATABASE_URL_MESSAGE)
    .optional(),
  REDIS_URL: redisUrl.optional(),
});

export interface StartOptions {
  demo: boolean;
  fresh: boolean;
  /** Whether a missing Redis may be installed as a Debian package. */
  install: boolean;
  /** Whether to restart an app when its source changes. */
  reload: boolean;
  /** The first port to try for the API; 0: any free port. */
  port: number;
  tickMs: number;
  /** Used instead of an embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Used instead of a Redis that the stack starts. */
  redisUrl: string | undefined;
}

/** Thrown for an unknown or malformed flag. The message includes the usage. */
export class UsageError extends Error {}

/**
 * Reads the command's flags and variables.
 *
 * @throws UsageError; ConfigurationError that names the invalid variables.
 */
export function readStartOptions(args: string[], environment: NodeJS.ProcessEnv): StartOptions {
  const flags = parseFlags(args);
  const given = readEnvironment(variables, environment);
  return {
    demo: !flags['no-demo'],
    fresh: flags.fresh,
    install: !flags['no-install'],
    reload: flags.reload,
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
        'no-install': { type: 'boolean', default: false },
        reload: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}
