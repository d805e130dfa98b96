import { openDatabase } from '@deal-signals/db/database';
import { fillSubjects } from './fill-subjects.ts';

// `pnpm fill-delivery-subjects`, for operators: run it once after the update that first stores what deliveries are about, when
// no process of an older version is left. The product may run meanwhile.
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the database');
  process.exit(1);
}
const db = openDatabase({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-fill-delivery-subjects',
  statementTimeoutMs: 60_000,
});
try {
  const { events, subjects } = await fillSubjects(db);
  console.log(`read ${events} events; added ${subjects} rows for their deliveries`);
} finally {
  await db.$disconnect();
}
