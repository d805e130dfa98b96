import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';

/** Rows in a statement. Writers are not kept waiting by it, and it takes a fraction of a second. */
const BATCH_SIZE = 1_000;

/** The tables whose objects are found by words, as the triggers in prisma/sql/search-words.sql split them. */
const TABLES = [
  { name: 'rooms', table: Prisma.sql`rooms`, kind: 1, text: Prisma.sql`t.name` },
  {
    name: 'calls',
    table: Prisma.sql`calls`,
    kind: 2,
    text: Prisma.sql`concat_ws(' ', t.title, t.prospect_name)`,
  },
  { name: 'people', table: Prisma.sql`people`, kind: 3, text: Prisma.sql`concat_ws(' ', t.name, t.email)` },
];

/** What `fillSearch` did with a kind of object. */
export interface Filled {
  name: string;
  /** How many objects it looked at. */
  objects: number;
  /** How many words were missing. */
  words: number;
}

/**
 * Adds the words by which the console finds rooms, calls and people, for the rows that were there before the search was.
 *
 * Safe while the product runs: it locks no row of these tables. It can be stopped and run again at any time; what is there
 * already is not written again. If an object is renamed in the same moment, a word of its old name may stay: the search
 * compares what it finds with the names themselves.
 *
 * @param onTable called when it is done with a kind of object.
 */
export async function fillSearch(db: Database, onTable: (filled: Filled) => void): Promise<void> {
  const companies = await db.company.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
  for (const { name, table, kind, text } of TABLES) {
    const filled: Filled = { name, objects: 0, words: 0 };
    for (const { id: companyId } of companies) {
      let last: string | null = null;
      do {
        const after: Prisma.Sql = last === null ? Prisma.empty : Prisma.sql`AND t.id > ${last}::uuid`;
        const [batch] = await db.$queryRaw<[{ objects: number; words: number; last: string | null }]>`
          WITH batch AS MATERIALIZED (
            SELECT t.id, ${text} AS text FROM ${table} t
            WHERE t.company_id = ${companyId} ${after}
            ORDER BY t.id LIMIT ${BATCH_SIZE}
          ), added AS (
            INSERT INTO search_words (company_id, kind, word, object_id)
            SELECT ${companyId}, ${kind}, w.word, batch.id FROM batch CROSS JOIN unnest(search_words_of(batch.text)) AS w (word)
            ON CONFLICT DO NOTHING
            RETURNING 1
          )
          SELECT count(*)::int AS objects, (SELECT count(*) FROM added)::int AS words,
                 (SELECT id::text FROM batch ORDER BY id DESC LIMIT 1) AS last
          FROM batch`;
        filled.objects += batch.objects;
        filled.words += batch.words;
        last = batch.objects === BATCH_SIZE ? batch.last : null;
      } while (last !== null);
    }
    onTable(filled);
  }
}
