import { runCommand } from 'deal-signals/command/run-command';
import { processSurroundings } from 'deal-signals/command/surroundings';
import { LOCAL_FOLDER } from '../files/local-folder.ts';
import { withDemoAccess } from '../files/stack-file.ts';

/** `pnpm deal-signals`: the consumer's command. Without `DEAL_SIGNALS_URL`, it reads the demo of the running stack. */
const env = await withDemoAccess(process.env, LOCAL_FOLDER);
process.exitCode = await runCommand(process.argv.slice(2), processSurroundings(env));
