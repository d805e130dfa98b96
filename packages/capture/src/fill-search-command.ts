import { openDatabase } from '@deal-signals/db/database';
import { fillSearch } from './fill-search.ts';

// `pnpm fill-search`, for operators: run it once after the update that brings the search of the console. The product may run
// meanwhile.
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the database');
  process.exit(1);
}
const db = openDatabase({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-fill-search',
  statementTimeoutMs: 60_000,
});
try {
  await fillSearch(db, ({ name, objects, words }) => {
    console.log(`${name}: looked at ${objects}, added ${words} words`);
  });
} finally {
  await db.$disconnect();
}
