import { runMigrateProgram } from '@deal-signals/db/migrations/migrate-program';
import { LOCAL_FOLDER } from '../files/local-folder.ts';
import { findDatabaseUrl } from '../files/stack-file.ts';

// `pnpm migrate`: migrates the database of DATABASE_URL, or else that of the running stack of this checkout.
await runMigrateProgram(process.argv.slice(2), () => findDatabaseUrl(process.env, LOCAL_FOLDER));
