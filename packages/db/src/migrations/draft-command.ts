import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  MIGRATIONS_DIR,
  NO_FILTERS,
  openSchemaEngine,
  readSchema,
  REPOSITORY_ROOT,
} from './schema-engine.ts';

// `pnpm --filter @deal-signals/db new-migration NAME`: writes the SQL that leads from the committed schema.prisma to the
// one in the working tree. It compares two texts (the engine only insists on a server to connect to), so add by hand
// what Prisma cannot express.
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
    return execFileSync('git', ['show', 'HEAD:prisma/schema.prisma'], {
      cwd: REPOSITORY_ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return 'datasource db {\n  provider = "postgresql"\n}\n';
  }
}

const engine = await openSchemaEngine(databaseUrl);
const { stdout } = await engine.diff({
  from: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: committedSchema() }] },
  to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: await readSchema() }] },
  script: true,
  exitCode: null,
  filters: NO_FILTERS,
});
if (!stdout || stdout.startsWith('-- This is an empty migration')) {
  console.log('schema.prisma is as committed: nothing to write');
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const directory = path.join(MIGRATIONS_DIR, `${stamp}_${name}`);
  await mkdir(directory);
  await writeFile(path.join(directory, 'migration.sql'), stdout);
  console.log(directory);
}
