import { ApiRefusal, ApiUnavailable, messageOf } from '../errors.ts';
import { StoreConflict } from '../stores/store.ts';
import { EXIT_CODES, type Subcommand, type Surroundings, UsageError } from './command.ts';
import { listen } from './listen/listen.ts';
import { query } from './query.ts';
import { sync } from './sync/sync.ts';
import { tail } from './tail/tail.ts';
import { verify } from './verify/verify.ts';

const SUBCOMMANDS: Record<string, Subcommand> = { sync, query, tail, listen, verify };

const HELP = `usage: deal-signals COMMAND [options]

${Object.entries(SUBCOMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`)
  .join('\n')}

\`deal-signals COMMAND --help\` describes a command.

Environment: DEAL_SIGNALS_URL (ends in /api/v1) and DEAL_SIGNALS_API_KEY.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 refused by the API; 4 API not reachable; 5 the copy is in use or holds
another workspace; 6 delivery not valid; 130 interrupted.`;

/** Runs `deal-signals`. Errors are reported in words. Returns the exit code. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name = '', ...rest] = argv;
  const subcommand = SUBCOMMANDS[name];
  if (subcommand === undefined) {
    const isAsked = ['--help', '-h', 'help'].includes(name);
    if (isAsked) surroundings.print(HELP);
    else surroundings.report(name === '' ? HELP : `deal-signals: there is no command ${name}\n\n${HELP}`);
    return isAsked ? EXIT_CODES.done : EXIT_CODES.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    surroundings.print(subcommand.help);
    return EXIT_CODES.done;
  }
  try {
    return await subcommand.run(rest, surroundings);
  } catch (error) {
    surroundings.report(`deal-signals ${name}: ${explained(error)}`);
    if (error instanceof UsageError) surroundings.report(`See: deal-signals ${name} --help`);
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_CODES.usage;
  if (error instanceof ApiRefusal) return EXIT_CODES.refused;
  if (error instanceof ApiUnavailable) return EXIT_CODES.unavailable;
  if (error instanceof StoreConflict) return EXIT_CODES.conflict;
  return EXIT_CODES.failed;
}

/** What to do about the refusals that a user meets. */
const ADVICE: Record<string, string> = {
  API_KEY_INVALID: 'The key is wrong, was revoked or has expired. An admin can create another one.',
  PERMISSION_DENIED: 'The key does not allow this. With --feeds, leave out what it may not read.',
  FEATURE_NOT_ENABLED: 'The API is switched off for this workspace.',
  INVALID_CURSOR: 'The stored position is not one of this API. Was the copy made from another installation?',
};

function explained(error: unknown): string {
  const message = messageOf(error);
  if (!(error instanceof ApiRefusal)) return message;
  const advice = ADVICE[error.code ?? ''];
  return advice === undefined ? message : `${message}\n${advice}`;
}
