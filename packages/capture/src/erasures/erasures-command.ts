import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Database } from '@deal-signals/db/database';
import { escapeForTerminal } from '@deal-signals/db/escape-for-terminal';
import { keptErasures, repeatErasure } from './repeat-erasures.ts';

// `pnpm operate erasures`, for operators: prints what was erased in all workspaces, to be kept apart from the backups. With the name of
// a file, or `-` for standard input, it erases the same in a database that was restored from an older backup.
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL: must be the URL of the database');
  process.exit(1);
}
const [file] = process.argv.slice(2);
const db = new Database({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-erasures',
  statementTimeoutMs: 60_000,
});
try {
  if (file === undefined) for await (const line of keptErasures(db)) console.log(line);
  else await repeatAll(file);
} finally {
  await db.close();
}

async function repeatAll(name: string): Promise<void> {
  const input = name === '-' ? process.stdin : createReadStream(name);
  let lines = 0;
  let erased = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    lines += 1;
    try {
      erased += await repeatErasure(db, line);
    } catch (error) {
      console.error(escapeForTerminal(`line ${lines}: ${(error as Error).message}`));
      process.exitCode = 1;
    }
  }
  console.log(`erasures read: ${lines}; people and rooms that are erased again: ${erased}`);
}
