import type { DealSignalsClient } from '../client.ts';
import type { Patience } from '../feeds/repeat.ts';
import {
  connect,
  CONNECTION_HELP,
  CONNECTION_OPTIONS,
  type ConnectionValues,
  patienceOf,
  secondsIn,
  type Surroundings,
} from './command.ts';

/** The options of every subcommand that polls feeds. */
export const FOLLOWING_OPTIONS = { ...CONNECTION_OPTIONS, 'poll-seconds': { type: 'string' } } as const;

/** The lines of `--help` about them. */
export function followingHelp(pollSeconds: number): string {
  return `  --poll-seconds N    pause between polls; default ${pollSeconds}\n${CONNECTION_HELP}`;
}

/** What a subcommand polls feeds with. */
export interface Following {
  client: DealSignalsClient;
  pollMs: number;
  /** For what has to succeed first: a wrong URL or key is reported soon. */
  atStart: Patience;
  /** For what follows: the API may be away for as long as it likes. */
  forEver: Patience;
}

/**
 * Reads the options of a subcommand that polls feeds.
 *
 * @param pollSeconds the pause between polls if the user names none.
 * @throws UsageError
 */
export function followingOf(
  values: ConnectionValues & { 'poll-seconds'?: string | undefined },
  pollSeconds: number,
  surroundings: Surroundings,
): Following {
  const given = values['poll-seconds'] ?? String(pollSeconds);
  return {
    pollMs: secondsIn('poll-seconds', given, { least: 0.1, most: 86_400 }) * 1_000,
    client: connect(values, surroundings.env),
    atStart: patienceOf(surroundings, false),
    forEver: patienceOf(surroundings, true),
  };
}
