import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** No table and no enum is managed by anyone else. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Prisma's schema engine as WebAssembly, bound to one database. Prisma's command line tool would download the same
 * engine as a native binary.
 *
 * It keeps its connections until the process ends, and with them the advisory lock of a migration.
 */
export async function openSchemaEngine(databaseUrl: string, schema: string): Promise<SchemaEngine> {
  const wasmPath = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), {
    './schema_engine_bg.js': engineModule as unknown as WebAssembly.ModuleImports,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(databaseUrl));
  return engineModule.SchemaEngine.new({ datamodels: [['schema.prisma', schema]] }, () => {}, adapter);
}

type Connection = Awaited<ReturnType<PrismaPg['connect']>>;

/**
 * Sends a script as it is, as the native engine does. The driver adapter would split it at every semicolon, including
 * those within the body of a function.
 */
class WholeScripts extends PrismaPg {
  override async connect(): Promise<Connection> {
    return sendWhole(await super.connect());
  }

  override async connectToShadowDb(): Promise<Connection> {
    return sendWhole(await super.connectToShadowDb());
  }
}

function sendWhole(connection: Connection): Connection {
  const runScript = connection.executeScript.bind(connection);
  connection.executeScript = async (script) => {
    // Otherwise the adapter is right, and reports errors in the form that the engine expects.
    if (!script.includes('$$')) return runScript(script);
    await connection.underlyingDriver().query(script);
  };
  return connection;
}
