import { migrate } from './migrate.ts';

// The migration step of a deployment: applies what the database of DATABASE_URL lacks, then exits.
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the database to migrate');
  process.exit(1);
}
try {
  const applied = await migrate(databaseUrl);
  for (const name of applied) console.log(`applied ${name}`);
  if (applied.length === 0) console.log('nothing to apply: the database is up to date');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
