import { escapeLinesForTerminal } from '@deal-signals/db/escape-for-terminal';
import { LOCAL_FOLDER } from '../files/local-folder.ts';
import { issueSessionToken } from './issue-session-token.ts';

const BAD_USAGE_EXIT_CODE = 2;

/** `pnpm session-token`: prints an admin session token, and nothing else on standard output. */
try {
  console.log(await issueSessionToken(process.argv.slice(2), process.env, LOCAL_FOLDER));
} catch (error) {
  console.error(`pnpm session-token: ${escapeLinesForTerminal((error as Error).message)}`);
  process.exitCode = BAD_USAGE_EXIT_CODE;
}
