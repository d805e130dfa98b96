import type { Database } from '@deal-signals/db/database';

/**
 * Looks for a text in every column of every table and type, in upper and lower case.
 *
 * @returns where it stands, as `table: row`.
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
