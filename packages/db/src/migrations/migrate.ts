import { NO_FILTERS, openSchemaEngine, readMigrations } from './schema-engine.ts';

/**
 * Applies every migration that the database does not have yet. Safe to run from several processes: the engine holds an
 * advisory lock while it works.
 *
 * @returns the names of the migrations it applied, oldest first.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const engine = await openSchemaEngine(databaseUrl);
  const { appliedMigrationNames } = await engine.applyMigrations({
    migrationsList: await readMigrations(),
    filters: NO_FILTERS,
  });
  return appliedMigrationNames;
}
