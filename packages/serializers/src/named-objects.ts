import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';

/** The kinds of objects that are found by name, as the table `search_names` has them. */
export const NAMED_KINDS = { room: 1, call: 2, person: 3 } as const;

/** More words than this tell nothing more. */
const MAX_WORDS = 12;

/** The index of names knows three letters in a row. A shorter word is found only where a word begins with it, which it knows too. */
const TOO_SHORT = /^.{1,2}$/u;

/** The words that a search asks for, as names are compared. */
export async function askedWords(db: Queryable, text: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(Prisma.sql`SELECT search_name_of(${text}) AS name`);
  const words = rows.flatMap(({ name }) => name.split(' ')).filter((word) => word !== '');
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** What a name is like that has a word as a whole, has one that begins with it, and has it anywhere. */
export const PATTERNS = {
  whole: (word: string) => `% ${word} %`,
  beginning: (word: string) => `% ${word}%`,
  part: (word: string) => (TOO_SHORT.test(word) ? `% ${word}%` : `%${word}%`),
} as const;

/** The patterns, the better ones first. */
export const PATTERN_NAMES = ['whole', 'beginning', 'part'] as const;

/**
 * The query for objects of one kind in whose names all these words are.
 *
 * The order is that of the primary key: if PostgreSQL expects that the words are common, it walks the names of the workspace until
 * it has found enough, and not those of others.
 *
 * @param words one or more.
 * @param most how many it returns.
 */
export function namedObjects(
  companyId: number,
  kind: keyof typeof NAMED_KINDS,
  words: readonly string[],
  pattern: keyof typeof PATTERNS,
  most: number,
): Prisma.Sql {
  const isLike = words.map((word) => Prisma.sql`s.name LIKE ${PATTERNS[pattern](word)}`);
  return Prisma.sql`
    SELECT s.object_id, s.name FROM search_names s
    WHERE s.company_id = ${companyId} AND s.kind = ${NAMED_KINDS[kind]}::smallint AND ${Prisma.join(isLike, ' AND ')}
    ORDER BY s.object_id LIMIT ${most}`;
}

/**
 * The ids of rooms of one workspace in whose names all words of a text are, or parts of them.
 *
 * @param most how many it returns.
 */
export async function findNamedRooms(
  db: Queryable,
  companyId: number,
  text: string,
  most: number,
): Promise<string[]> {
  const words = await askedWords(db, text);
  if (words.length === 0) return [];
  const found = await db.query<{ id: string }>(
    Prisma.sql`SELECT object_id AS id FROM (${namedObjects(companyId, 'room', words, 'part', most)}) AS named`,
  );
  return found.map(({ id }) => id);
}
