import { runMigrateProgram } from './migrate-program.ts';

// The migration step of a deployment, for the database of DATABASE_URL.
await runMigrateProgram(process.argv.slice(2), () => {
  const databaseUrl = process.env['DATABASE_URL'];
  if (!databaseUrl) throw new Error('DATABASE_URL must be the URL of the database to migrate');
  return databaseUrl;
});
