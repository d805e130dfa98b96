import { Database } from '@deal-signals/db/database';
import { rebuildTexts } from './rebuild-texts.ts';

// `pnpm operate rebuild-texts`, for operators: run it after an update that changed what objects show. The product may keep running.
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the database');
  process.exit(1);
}
const db = new Database({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-rebuild-texts',
  statementTimeoutMs: 60_000,
});
try {
  await rebuildTexts(db, ({ name, objects, written }) => {
    console.log(`${name}: wrote ${written} texts of ${objects}`);
  });
} finally {
  await db.close();
}
