import { EXIT_CODES, type Subcommand, type Surroundings, UsageError } from './command.ts';
import { explained, exitCodeOf } from './explain.ts';
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

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 rejected by the API; 4 API not reachable; 5 the copy is in use, holds
another workspace, or would overwrite existing tables; 6 delivery not valid; 130 interrupted.`;

/** Runs `deal-signals` and reports errors. Returns the exit code. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name = '', ...rest] = argv;
  const subcommand = SUBCOMMANDS.get(name);
  if (subcommand === undefined) {
    const isHelp = ['--help', '-h', 'help'].includes(name);
    if (isHelp) surroundings.print(HELP);
    else
      surroundings.report(
        name === '' ? HELP : `deal-signals: unknown command ${escapeForTerminal(name)}\n\n${HELP}`,
      );
    return isHelp ? EXIT_CODES.done : EXIT_CODES.usage;
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
