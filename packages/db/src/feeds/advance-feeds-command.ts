import { openDatabase } from '../database.ts';
import { advanceFeeds } from './advance-feeds.ts';

// `pnpm advance-feeds`, for operators: run it after a backup was restored or a failover lost commits, before anything
// writes again.
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the restored database');
  process.exit(1);
}
const db = openDatabase({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-advance-feeds',
  statementTimeoutMs: 60_000,
  usesAnyServer: true,
});
try {
  const { sequences, clocks } = await advanceFeeds(db);
  for (const [name, last] of Object.entries(sequences)) console.log(`${name} continues after ${last}`);
  console.log(`${clocks} feed clocks moved`);
} finally {
  await db.$disconnect();
}
