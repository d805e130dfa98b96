import { openDatabase } from '@deal-signals/db/database';
import { rebuildTexts } from './rebuild-texts.ts';

// `pnpm rebuild-texts`, for operators: run it after an update that changed what objects show, or the first one that stores
// their texts. The product may run meanwhile.
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the database');
  process.exit(1);
}
const db = openDatabase({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-rebuild-texts',
  statementTimeoutMs: 60_000,
});
try {
  await rebuildTexts(db, ({ name, built, skipped }) => {
    const rest = skipped === 0 ? '' : `; ${skipped} were in use: run it again`;
    console.log(`${name}: built ${built} texts${rest}`);
  });
} finally {
  await db.$disconnect();
}
