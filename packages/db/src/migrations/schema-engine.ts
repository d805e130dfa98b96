import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** Four levels above both `src` and `dist` of this package. */
export const REPOSITORY_ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');

const PRISMA_DIR = path.join(REPOSITORY_ROOT, 'prisma');

/** Nothing in the database is managed by anyone else. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Prisma's schema engine as WebAssembly, bound to one database. The usual command line tool would download a native
 * binary; this is the same engine with the same `_prisma_migrations` bookkeeping.
 */
export async function openSchemaEngine(databaseUrl: string): Promise<SchemaEngine> {
  const wasmPath = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), {
    './schema_engine_bg.js': engineModule as unknown as WebAssembly.ModuleImports,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(databaseUrl));
  return engineModule.SchemaEngine.new(
    { datamodels: [['schema.prisma', await readSchema()]] },
    () => {},
    adapter,
  );
}

/** The text of `schema.prisma`. */
export function readSchema(): Promise<string> {
  return readFile(path.join(PRISMA_DIR, 'schema.prisma'), 'utf8');
}

/** The folder that holds the migrations. */
export const MIGRATIONS_DIR = path.join(PRISMA_DIR, 'migrations');

/** All migrations on disk, oldest first, in the form the engine takes. */
export async function readMigrations(): Promise<MigrationList> {
  const entries = await readdir(MIGRATIONS_DIR, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir: MIGRATIONS_DIR,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(MIGRATIONS_DIR, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.toSorted().map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(path.join(MIGRATIONS_DIR, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}
