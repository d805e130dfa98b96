import type { DealSignalsClient } from '../client.ts';
import type { Patience } from '../feeds/repeat.ts';
import {
  connect,
  CONNECTION_HELP,
  CONNECTION_OPTIONS,
  type ConnectionValues,
  createPatience,
  parseSeconds,
  type Surroundings,
} from './command.ts';

/** The options of every subcommand that polls feeds. */
export const FOLLOWING_OPTIONS = { ...CONNECTION_OPTIONS, 'poll-seconds': { type: 'string' } } as const;

/** The lines of `--help` about these options. */
export function followingHelp(pollSeconds: number): string {
  return `  --poll-seconds N    pause between polls; default ${pollSeconds}\n${CONNECTION_HELP}`;
}

/** The client and settings with which a subcommand polls feeds. */
export interface Following {
  client: DealSignalsClient;
  pollMs: number;
  /** For the first requests: a wrong URL or key is reported soon. */
  atStart: Patience;
  /** For the requests after them: the API may be unavailable for any length of time. */
  forEver: Patience;
}

/**
 * Parses the options of a subcommand that polls feeds.
 *
 * @param pollSeconds the default pause between polls.
 * @throws UsageError
 */
export function parseFollowingOptions(
  values: ConnectionValues & { 'poll-seconds'?: string | undefined },
  pollSeconds: number,
  surroundings: Surroundings,
): Following {
  const given = values['poll-seconds'] ?? String(pollSeconds);
  return {
    pollMs: parseSeconds('poll-seconds', given, { min: 0.1, max: 86_400 }) * 1_000,
    client: connect(values, surroundings.env),
    atStart: createPatience(surroundings, false),
    forEver: createPatience(surroundings, true),
  };
}
