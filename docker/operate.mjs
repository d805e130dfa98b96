// The commands for operators in the image `migrate`:
//   docker compose -f docker/compose.yaml run --rm migrate rebuild-texts
// Each is the command that `pnpm` runs under the same name in a checkout. They use the database of DATABASE_URL.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const COMMANDS = {
  migrate: 'packages/db/dist/migrations/migrate-command.js',
  'rebuild-texts': 'packages/capture/dist/texts/rebuild-texts-command.js',
  erasures: 'packages/capture/dist/erasures/erasures-command.js',
};

const [name = 'migrate', ...args] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, name)) {
  console.error(`Unknown command ${name}. The commands are: ${Object.keys(COMMANDS).join(', ')}`);
  process.exit(2);
}
// Relative to the working folder, which is the root of the image.
const file = path.resolve(COMMANDS[name]);
process.argv = [process.argv[0], file, ...args];
try {
  await import(pathToFileURL(file).href);
} catch (error) {
  const script = path.resolve('packages/db/dist/escape-for-terminal.js');
  const { escapeForTerminal } = await import(pathToFileURL(script).href);
  // The database client prefixes messages with the name of its method, on separate lines.
  console.error(`${name}: ${escapeForTerminal(error.message.trim().split('\n').at(-1))}`);
  process.exitCode = 1;
}
