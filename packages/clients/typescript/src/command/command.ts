import type { Readable } from 'node:stream';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Connection, connectionOf, createClient, type DealSignalsClient } from '../client.ts';
import type { Patience } from '../feeds/repeat.ts';
import { escapeForTerminal } from './escape-for-terminal.ts';

/** How the command ends. */
export const EXIT_CODES = {
  done: 0,
  /** Something unexpected, such as a full disk. */
  failed: 1,
  /** The command was called wrongly. */
  usage: 2,
  /** The API refused: the key, a permission, a parameter. */
  refused: 3,
  /** The API could not be reached, or did not respond for too long. */
  unavailable: 4,
  /** The data is already written to by another program, or belongs to another workspace. */
  conflict: 5,
  /** A delivery is not valid. */
  invalid: 6,
  /** Ctrl-C ended the command before it was done. */
  interrupted: 130,
} as const;

/** What a command needs of its process. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Opens standard input. Only a command that reads it does so, because an open one may block others that read it. */
  input: () => Readable;
  /** Writes a line of the result. */
  print: (line: string) => void;
  /** Writes a line about the progress, or an error. */
  report: (line: string) => void;
  /** Replaces the line of the progress; null without a terminal. */
  showProgress: ((line: string) => void) | null;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** A subcommand. */
export interface Subcommand {
  /** What `deal-signals --help` says about it, in a line. */
  summary: string;
  /** What `--help` prints. */
  help: string;
  /** @returns the exit code. */
  run(argv: string[], surroundings: Surroundings): Promise<number>;
}

/** The command was called wrongly. */
export class UsageError extends Error {}

/** The options of every subcommand that calls the API. */
export const CONNECTION_OPTIONS = {
  url: { type: 'string' },
  'api-key': { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/** The lines of `--help` about them. */
export const CONNECTION_HELP = `  --url URL           base URL of the API, which ends in /api/v1; default: DEAL_SIGNALS_URL
  --api-key KEY       default: DEAL_SIGNALS_API_KEY, which no other user of the machine can see in the list of processes`;

/** How long a command that is to end tries to reach the API. */
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

/** The values of these options. */
export interface ConnectionValues {
  url?: string | undefined;
  'api-key'?: string | undefined;
}

/**
 * Checks the URL and the key of a subcommand.
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

/** How long a subcommand waits for the API, and what it reports in the meantime. */
export function patienceOf({ signal, report }: Surroundings, followsForEver: boolean): Patience {
  return {
    signal,
    giveUpAfterMs: followsForEver ? Infinity : GIVE_UP_AFTER_MS,
    onWait: (problem, waitMs) =>
      report(`${escapeForTerminal(problem)}; trying again in ${Math.ceil(waitMs / 1_000)} s`),
  };
}

/**
 * Reads a number of seconds.
 * @throws UsageError
 */
export function secondsIn(name: string, text: string, range: { least: number; most: number }): number {
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= range.least && seconds <= range.most)) {
    throw new UsageError(`--${name} must be a number of seconds from ${range.least} to ${range.most}`);
  }
  return seconds;
}
