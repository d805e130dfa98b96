import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { PRISMA_FOLDER } from '../src/migrations/schema-files.ts';
import { NO_FILTERS, openSchemaEngine } from './schema-engine.ts';

// `pnpm --filter @deal-signals/db new-migration NAME`: writes the SQL that changes the committed schema.prisma to the one in the
// working tree. The engine compares the two texts, but still requires a server to connect to. Add by hand what Prisma cannot
// express.
const name = process.argv[2];
const databaseUrl = process.env['DATABASE_URL'];
if (!name || !/^[a-z0-9_]+$/.test(name) || !databaseUrl) {
  console.error(
    'usage: DATABASE_URL=... pnpm --filter @deal-signals/db new-migration NAME   (a-z, 0-9 and _)',
  );
  process.exit(2);
}

/** The schema as last committed; empty before the first commit. */
function committedSchema(): string {
  try {
    return execFileSync('git', ['show', 'HEAD:./schema.prisma'], {
      cwd: PRISMA_FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return 'datasource db {\n  provider = "postgresql"\n}\n';
  }
}

const schema = await readFile(path.join(PRISMA_FOLDER, 'schema.prisma'), 'utf8');
const engine = await openSchemaEngine(new PrismaPg(databaseUrl), schema);
const { stdout } = await engine.diff({
  from: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: committedSchema() }] },
  to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
  script: true,
  exitCode: null,
  filters: NO_FILTERS,
});
if (!stdout || stdout.startsWith('-- This is an empty migration')) {
  console.log('schema.prisma has not changed since the last commit: no migration is needed');
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = path.join(PRISMA_FOLDER, 'migrations', `${stamp}_${name}`);
  await mkdir(folder);
  await writeFile(path.join(folder, 'migration.sql'), stdout);
  console.log(folder);
}
process.exit(0);
