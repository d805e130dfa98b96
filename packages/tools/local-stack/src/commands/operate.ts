import { escapeForTerminal } from '@deal-signals/db/escape-for-terminal';
import { OPERATOR_COMMANDS } from './operator-commands.ts';

// `pnpm operate NAME [ARGUMENTS]`: runs an operator command from a checkout. The images have the same commands.

const [name = ''] = process.argv.splice(2, 1);
const run = Object.hasOwn(OPERATOR_COMMANDS, name) ? OPERATOR_COMMANDS[name] : undefined;
if (run === undefined) {
  console.error(`usage: pnpm operate ${Object.keys(OPERATOR_COMMANDS).join(' | ')}`);
  process.exit(2);
}
try {
  await run();
} catch (error) {
  console.error(escapeForTerminal(`${name}: ${(error as Error).message}`));
  process.exitCode = 1;
}
