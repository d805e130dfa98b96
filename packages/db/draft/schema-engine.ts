import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** All tables and enums are managed by Prisma. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Opens Prisma's schema engine, as WebAssembly, on one database. Prisma's command line tool would download the same engine as a
 * native binary.
 *
 * It keeps its connections until the process ends, and with them the advisory lock of a migration.
 */
export async function openSchemaEngine(
  database: SqlMigrationAwareDriverAdapterFactory,
  schema: string,
): Promise<SchemaEngine> {
  const wasmPath = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), {
    './schema_engine_bg.js': engineModule as unknown as WebAssembly.ModuleImports,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  return engineModule.SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(database),
  );
}
