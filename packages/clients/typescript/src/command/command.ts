import type { Readable } from 'node:stream';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Connection, connectionOf, createClient, type DealSignalsClient } from '../client.ts';
import type { RetryPolicy } from '../feeds/repeat.ts';
import { escapeForTerminal } from './escape-for-terminal.ts';

/** The exit codes. */
export const EXIT_CODES = {
  done: 0,
  /** An unexpected failure, such as a full disk. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
  /** The API rejected the request: its key, its permissions or a parameter. */
  refused: 3,
  /** The API was unreachable or did not respond for too long. */
  unavailable: 4,
  /** Another program writes to the copy, or the copy belongs to another workspace. */
  conflict: 5,
  /** A delivery is invalid. */
  invalid: 6,
  /** Ctrl-C ended the command before it was done. */
  interrupted: 130,
} as const;

/** The process that a command runs in, as far as commands use it. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Opens standard input. Only a command that reads it does so, because an open one may block other readers. */
  input: () => Readable;
  /** Prints a line of the result. */
  print: (line: string) => void;
  /** Prints a line about the progress, or an error. */
  report: (line: string) => void;
  /** Replaces the progress line; null without a terminal. */
  showProgress: ((line: string) => void) | null;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** A subcommand. */
export interface Subcommand {
  /** The one-line description in `deal-signals --help`. */
  summary: string;
  /** The text that `--help` prints. */
  help: string;
  /** @returns the exit code. */
  run(argv: string[], surroundings: Surroundings): Promise<number>;
}

/** Thrown for invalid arguments. */
export class UsageError extends Error {}

/** The options of every subcommand that calls the API. */
export const CONNECTION_OPTIONS = {
  url: { type: 'string' },
  'api-key': { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/** The lines of `--help` about these options. */
export const CONNECTION_HELP = `  --url URL           base URL of the API, which ends in /api/v1; default: DEAL_SIGNALS_URL
  --api-key KEY       default: DEAL_SIGNALS_API_KEY, which unlike an option is not visible in the list of processes`;

/** How long a command that runs to completion tries to reach the API. */
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

/** Returns the values of these options. */
export interface ConnectionValues {
  url?: string | undefined;
  'api-key'?: string | undefined;
}

/**
 * Validates the URL and the key of a subcommand.
 * @throws UsageError
 */
export function accessOf(values: ConnectionValues, env: Surroundings['env']): Connection {
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
  accessOf(values, env);
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

/** How long a subcommand retries, and what it reports before each wait. */
export function retryPolicy({ signal, report }: Surroundings, followsForEver: boolean): RetryPolicy {
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
