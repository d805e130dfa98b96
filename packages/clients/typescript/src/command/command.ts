import type { Readable } from 'node:stream';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Connection, connectionOf, createClient, type DealSignalsClient } from '../client.ts';
import type { Patience } from '../feeds/repeat.ts';
import { escapeForTerminal } from './escape-for-terminal.ts';

/** The exit codes of the command. */
export const EXIT_CODES = {
  done: 0,
  /** An unexpected error, such as a full disk. */
  failed: 1,
  /** The arguments are invalid. */
  usage: 2,
  /** The API refused the request, because of the key, a permission or a parameter. */
  refused: 3,
  /** The API could not be reached, or did not respond in time. */
  unavailable: 4,
  /** Another program already writes to the target, or the target belongs to another workspace. */
  conflict: 5,
  /** A delivery is not valid. */
  invalid: 6,
  /** Ctrl-C stopped the command before it was done. */
  interrupted: 130,
} as const;

/** What a command uses of its process. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Opens standard input. Only commands that read it do so, because an open input may block other readers. */
  input: () => Readable;
  /** Writes a line of the result to standard output. */
  print: (line: string) => void;
  /** Writes a line about the progress, or an error. */
  report: (line: string) => void;
  /** Replaces the progress line; null without a terminal. */
  showProgress: ((line: string) => void) | null;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** A subcommand. */
export interface Subcommand {
  /** The line about it in `deal-signals --help`. */
  summary: string;
  /** The text of `--help`. */
  help: string;
  /** @returns the exit code. */
  run(argv: string[], surroundings: Surroundings): Promise<number>;
}

/** The arguments are invalid. */
export class UsageError extends Error {}

/** The options of every subcommand that calls the API. */
export const CONNECTION_OPTIONS = {
  url: { type: 'string' },
  'api-key': { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/** The lines of `--help` about these options. */
export const CONNECTION_HELP = `  --url URL           base URL of the API, which ends in /api/v1; default: DEAL_SIGNALS_URL
  --api-key KEY       default: DEAL_SIGNALS_API_KEY, which keeps the key out of the process list`;

/** How long a command that does not follow tries to reach the API. */
const GIVE_UP_AFTER_MS = 120_000;

/**
 * Parses arguments.
 * @throws UsageError
 */
export function parse<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** The values of the connection options. */
export interface ConnectionValues {
  url?: string | undefined;
  'api-key'?: string | undefined;
}

/**
 * Checks the URL and the key of a subcommand.
 * @throws UsageError
 */
export function connectionFromOptions(values: ConnectionValues, env: Surroundings['env']): Connection {
  try {
    return connectionOf(given(values, env));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/**
 * Creates the client of a subcommand.
 * @throws UsageError
 */
export function connect(values: ConnectionValues, env: Surroundings['env']): DealSignalsClient {
  connectionFromOptions(values, env);
  return createClient(given(values, env));
}

function given(
  values: ConnectionValues,
  env: Surroundings['env'],
): { url: string | undefined; apiKey: string | undefined } {
  return {
    url: values.url ?? env['DEAL_SIGNALS_URL'],
    apiKey: values['api-key'] ?? env['DEAL_SIGNALS_API_KEY'],
  };
}

/** Returns how long a subcommand waits for the API, and how it reports the waits. */
export function createPatience({ signal, report }: Surroundings, followsForEver: boolean): Patience {
  return {
    signal,
    giveUpAfterMs: followsForEver ? Infinity : GIVE_UP_AFTER_MS,
    onWait: (problem, waitMs) =>
      report(`${escapeForTerminal(problem)}; trying again in ${Math.ceil(waitMs / 1_000)} s`),
  };
}

/**
 * Parses a number of seconds.
 * @throws UsageError
 */
export function parseSeconds(name: string, text: string, range: { min: number; max: number }): number {
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= range.min && seconds <= range.max)) {
    throw new UsageError(`--${name} must be a number of seconds from ${range.min} to ${range.max}`);
  }
  return seconds;
}
