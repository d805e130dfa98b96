import { parseArgs } from 'node:util';
import { Database } from '@deal-signals/db/database';
import { printable } from '@deal-signals/db/printable';
import { countHeldRecords, discardRefusedRecords, listRefusedRecords } from './held-record-list.ts';

// `pnpm operate held-records`, for operators: shows the records that wait for their share link and those that were refused while
// they waited. With --discard-refused, it deletes the latter after showing them.
const MAX_LISTED = 10_000;

const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the database');
  process.exit(1);
}
const { values } = parseArgs({ options: { 'discard-refused': { type: 'boolean', default: false } } });
const db = new Database({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-held-records',
  statementTimeoutMs: 60_000,
});
try {
  const counts = await countHeldRecords(db);
  for (const { companyId, waiting, refused } of counts) {
    console.log(`workspace ${companyId}: ${waiting} waiting, ${refused} refused`);
  }
  if (counts.length === 0) console.log('no records are held');
  for (const { companyId, kind, key, problem } of await listRefusedRecords(db, MAX_LISTED)) {
    console.log(printable(`workspace ${companyId}: ${kind} ${JSON.stringify(key)}: ${problem}`));
  }
  if (values['discard-refused']) console.log(`discarded ${await discardRefusedRecords(db)} refused records`);
} finally {
  await db.close();
}
