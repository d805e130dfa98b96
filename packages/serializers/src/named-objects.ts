import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';

/** The kinds of objects that are found by name, as numbered in the table `search_names`. */
export const NAMED_KINDS = { room: 1, call: 2, person: 3 } as const;

/** Further words would not narrow the search. */
const MAX_WORDS = 12;

/** The index of names contains trigrams. A shorter word is found only at the beginning of a word, which the index also supports. */
const TOO_SHORT = /^.{1,2}$/u;

/** Returns the words of a search, normalized like names. */
export async function searchWords(db: Queryable, text: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(Prisma.sql`SELECT search_name_of(${text}) AS name`);
  const words = rows.flatMap(({ name }) => name.split(' ')).filter((word) => word !== '');
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** The patterns of a name that contains a word as a whole, one that begins with it, or one that contains it. */
export const PATTERNS = {
  whole: (word: string) => `% ${word} %`,
  beginning: (word: string) => `% ${word}%`,
  part: (word: string) => (TOO_SHORT.test(word) ? `% ${word}%` : `%${word}%`),
} as const;

/** The names of the patterns, best first. */
export const PATTERN_NAMES = ['whole', 'beginning', 'part'] as const;

/**
 * Returns the query for objects of one kind whose names contain all these words.
 *
 * The order is that of the primary key: if PostgreSQL expects the words to be common, it scans the names of this workspace until
 * it has found enough, and not those of others.
 *
 * @param words one or more.
 * @param limit maximum number of rows.
 */
export function namedObjects(
  companyId: number,
  kind: keyof typeof NAMED_KINDS,
  words: readonly string[],
  pattern: keyof typeof PATTERNS,
  limit: number,
): Prisma.Sql {
  const isLike = words.map((word) => Prisma.sql`s.name LIKE ${PATTERNS[pattern](word)}`);
  return Prisma.sql`
    SELECT s.object_id, s.name FROM search_names s
    WHERE s.company_id = ${companyId} AND s.kind = ${NAMED_KINDS[kind]}::smallint AND ${Prisma.join(isLike, ' AND ')}
    ORDER BY s.object_id LIMIT ${limit}`;
}

/**
 * Returns the ids of rooms of one workspace whose names contain all words of a text, or parts of them.
 *
 * @param limit maximum number of rows.
 */
export async function findNamedRooms(
  db: Queryable,
  companyId: number,
  text: string,
  limit: number,
): Promise<string[]> {
  const words = await searchWords(db, text);
  if (words.length === 0) return [];
  const found = await db.query<{ id: string }>(
    Prisma.sql`SELECT object_id AS id FROM (${namedObjects(companyId, 'room', words, 'part', limit)}) AS named`,
  );
  return found.map(({ id }) => id);
}
