import type { Database } from '@deal-signals/db/database';

/**
 * Searches for a text in every column of every table, whatever its type, ignoring case.
 *
 * @returns the matching rows, as `table: row`.
 */
export async function occurrences(db: Database, text: string): Promise<string[]> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND left(relname, 1) <> '_'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ row: string }[]>(
      `SELECT t::text AS row FROM "${name}" t WHERE position(lower($1) IN lower(t::text)) > 0`,
      text,
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}
