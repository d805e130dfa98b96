import { EXIT_CODES, type Subcommand, type Surroundings, UsageError } from './command.ts';
import { explainError, exitCodeFor } from './explain.ts';
import { listen } from './listen/listen.ts';
import { mcp } from './mcp/mcp.ts';
import { escapeForTerminal } from './escape-for-terminal.ts';
import { query } from './query.ts';
import { sync } from './sync/sync.ts';
import { tail } from './tail/tail.ts';
import { verify } from './verify/verify.ts';

const SUBCOMMANDS = new Map<string, Subcommand>(Object.entries({ sync, query, tail, listen, mcp, verify }));

const HELP = `usage: deal-signals COMMAND [options]

${[...SUBCOMMANDS].map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`).join('\n')}

\`deal-signals COMMAND --help\` describes a command.

Environment: DEAL_SIGNALS_URL (ends in /api/v1) and DEAL_SIGNALS_API_KEY.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 refused by the API; 4 API not reachable; 5 the target is in use, belongs to
another workspace, or has foreign tables; 6 delivery not valid; 130 interrupted.`;

/** Runs `deal-signals`, and reports errors in plain language. Returns the exit code. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name = '', ...rest] = argv;
  const subcommand = SUBCOMMANDS.get(name);
  if (subcommand === undefined) {
    const isAsked = ['--help', '-h', 'help'].includes(name);
    if (isAsked) surroundings.print(HELP);
    else
      surroundings.report(
        name === '' ? HELP : `deal-signals: unknown command ${escapeForTerminal(name)}\n\n${HELP}`,
      );
    return isAsked ? EXIT_CODES.done : EXIT_CODES.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    surroundings.print(subcommand.help);
    return EXIT_CODES.done;
  }
  try {
    return await subcommand.run(rest, surroundings);
  } catch (error) {
    surroundings.report(`deal-signals ${name}: ${explainError(error)}`);
    if (error instanceof UsageError) surroundings.report(`See: deal-signals ${name} --help`);
    return exitCodeFor(error);
  }
}
