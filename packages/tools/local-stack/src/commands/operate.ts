import { printable } from '@deal-signals/db/printable';

// `pnpm operate NAME [ARGUMENTS]`: the commands for operators, with the database of DATABASE_URL. The images have the same commands.

const COMMANDS: Record<string, () => Promise<unknown>> = {
  erasures: () => import('@deal-signals/capture/erasures/erasures-command'),
  'held-records': () => import('@deal-signals/capture/held-records/held-records-command'),
  'rebuild-texts': () => import('@deal-signals/capture/texts/rebuild-texts-command'),
  'reencrypt-secrets': () => import('@deal-signals/sending/secrets/reencrypt-secrets-command'),
};

const [name = ''] = process.argv.splice(2, 1);
const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (run === undefined) {
  console.error(`usage: pnpm operate ${Object.keys(COMMANDS).join(' | ')}`);
  process.exit(2);
}
try {
  await run();
} catch (error) {
  console.error(printable(`${name}: ${(error as Error).message}`));
  process.exitCode = 1;
}
