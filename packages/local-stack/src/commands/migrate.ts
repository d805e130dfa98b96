import { parseArgs } from 'node:util';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { LOCAL_FOLDER } from '../files/local-folder.ts';
import { findDatabaseUrl } from './connection-urls.ts';

/** `pnpm migrate`: applies the migrations that the database lacks. */
try {
  parseArgs({ options: {}, strict: true });
  const applied = await migrate(await findDatabaseUrl(process.env, LOCAL_FOLDER));
  for (const name of applied) console.log(`applied ${name}`);
  if (applied.length === 0) console.log('nothing to apply: the database is up to date');
} catch (error) {
  console.error(`pnpm migrate: ${(error as Error).message}`);
  process.exitCode = 1;
}
