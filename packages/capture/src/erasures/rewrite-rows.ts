import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { TEXT_TABLES, writeTexts } from '../texts/rebuild-texts.ts';
import { replacedNames } from '../writers/search-names.ts';
import { erased } from './eraser.ts';
import { type ErasureRun, type ErasureTools, readRows } from './erasure-run.ts';
import { columnOf, type ErasedTable } from './erased-tables.ts';

/**
 * Erases in rows of a table, and moves those that change to the ends of their feeds. Rows that do not name the person stay unchanged.
 *
 * @returns the ids of events or views whose texts have changed, in addition to who did what.
 */
export async function rewriteRows(
  { tx, companyId, at }: FeedTransaction,
  run: ErasureRun,
  table: ErasedTable,
  { erase }: ErasureTools,
  keys: string[],
): Promise<bigint[]> {
  const { key, keyType, fields, types = {} } = table;
  const names = Object.keys(fields);
  const rows = await readRows(tx, table, run, keys);
  const changes = rows
    .map((before) => ({ before, after: erased(before, fields, erase) }))
    .filter(({ before, after }) => before !== after || before.isTheirs);
  if (changes.length === 0) return [];

  const sets = names.map((name) => Prisma.sql`${columnOf(name)} = n.${Prisma.raw(`"${name}"`)}`);
  if (table.activity !== undefined) {
    sets.push(
      Prisma.sql`actor_name = CASE WHEN NOT n."isTheirs" THEN actor_name END`,
      Prisma.sql`actor_email = CASE WHEN NOT n."isTheirs" THEN actor_email END`,
      // The pseudonym is that of the person's row: a person who came back before all people were erased has another one.
      Prisma.sql`identity = CASE WHEN n."isTheirs" THEN erased_identity(${run.id}::uuid, coalesce(
        (SELECT p.identity FROM people p WHERE p.company_id = t.company_id AND p.id = t.person_id), t.identity))
        ELSE t.identity END`,
    );
  }
  if (table.sortedBy !== undefined) sets.push(Prisma.sql`${table.sortedBy} = ${at}`);
  const typed = names.map((name) => Prisma.raw(`"${name}" ${types[name] ?? 'text'}`));
  await tx.$executeRaw(Prisma.sql`
    UPDATE ${table.table} AS t SET ${Prisma.join(sets)}
    FROM json_to_recordset(${JSON.stringify(changes.map(({ after }) => after))}::json)
      AS n ("rowKey" ${keyType}, "isTheirs" boolean, ${Prisma.join(typed)})
    WHERE t.company_id = ${companyId} AND t.${key} = n."rowKey"`);

  const textTable = TEXT_TABLES.find(({ name }) => name === table.text);
  const changed = changes.map(({ before }) => before.rowKey);
  if (textTable !== undefined) await writeTexts(tx, textTable, companyId, changed);
  if (table.foundBy !== undefined) {
    const objects = changes.map(({ before, after }) => ({ id: before.rowKey, before, after }));
    const replaced = replacedNames(companyId, table.foundBy, objects);
    if (replaced !== null) await tx.$executeRaw(replaced);
  }
  if (table.activity === undefined) return [];
  return changes.filter(({ before, after }) => before !== after).map(({ before }) => BigInt(before.rowKey));
}
