import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';

/** The kinds of objects that the search finds. */
export const FOUND_KINDS = ['room', 'call', 'person', 'share_link', 'delivery', 'event', 'endpoint'] as const;

/** Something that the search found. */
export const foundObject = z
  .object({
    kind: z.enum(FOUND_KINDS),
    id: z.string(),
    title: z.string().meta({ description: 'What people call the object' }),
    subtitle: z.string().nullable().meta({ description: 'What tells it from others with the same title' }),
    roomId: z.guid().nullable().meta({ description: 'The room that it is, or belongs to' }),
    callId: z.guid().nullable().meta({ description: 'The call that it is, or shares' }),
    email: z.string().nullable().meta({ description: 'The address of the person' }),
  })
  .meta({ id: 'FoundObject' });

/** Something that the search found, as the API shows it. */
export type FoundObject = z.infer<typeof foundObject>;

/** A found object, in the order of the search. */
export type FoundRow = FoundObject;

/**
 * How many objects of a kind are compared with all words of a search: those that the rarest of its words gives first. A
 * search whose every word is more common than that may miss an object, and never reads more.
 */
export const MOST_CANDIDATES = 400;

/** Larger than every character that a word can begin with, in the order of bytes. */
const AFTER_ALL = '\u{10FFFF}';

/** The kinds that are found by words: where they are, the text of their words, and what is shown of them. */
const KINDS = [
  {
    code: 1,
    table: Prisma.sql`rooms r`,
    id: Prisma.sql`r.id`,
    isShown: Prisma.sql`true`,
    text: Prisma.sql`r.name`,
    at: Prisma.sql`r.last_activity_at`,
    columns: Prisma.sql`'room' AS kind, r.id::text AS id, r.name AS title, r.status::text AS subtitle,
      r.id::text AS "roomId", NULL AS "callId", NULL AS email`,
    joins: Prisma.empty,
    companyId: Prisma.sql`r.company_id`,
  },
  {
    code: 2,
    table: Prisma.sql`calls c`,
    id: Prisma.sql`c.id`,
    isShown: Prisma.sql`true`,
    text: Prisma.sql`concat_ws(' ', c.title, c.prospect_name)`,
    at: Prisma.sql`c.occurred_at`,
    columns: Prisma.sql`'call' AS kind, c.id::text AS id, coalesce(c.title, c.prospect_name) AS title,
      concat_ws(' · ', CASE WHEN c.title IS NOT NULL THEN c.prospect_name END, to_char(c.occurred_at, 'YYYY-MM-DD'))
        AS subtitle,
      c.room_id::text AS "roomId", c.id::text AS "callId", NULL AS email`,
    joins: Prisma.empty,
    companyId: Prisma.sql`c.company_id`,
  },
  {
    code: 3,
    table: Prisma.sql`people p`,
    id: Prisma.sql`p.id`,
    isShown: Prisma.sql`p.removed_at IS NULL`,
    text: Prisma.sql`concat_ws(' ', p.name, p.email)`,
    at: Prisma.sql`p.updated_at`,
    columns: Prisma.sql`'person' AS kind, p.id::text AS id, coalesce(p.name, p.email) AS title,
      concat_ws(' · ', CASE WHEN p.name IS NOT NULL THEN p.email END, room.name) AS subtitle,
      p.room_id::text AS "roomId", NULL AS "callId", p.email AS email`,
    joins: Prisma.sql`JOIN rooms room ON room.company_id = p.company_id AND room.id = p.room_id`,
    companyId: Prisma.sql`p.company_id`,
  },
];

/**
 * Finds rooms, calls and people of one workspace by words of their names, or the beginnings of such words, in any order: those
 * with the most whole words first, then rooms before calls before people, then the newest.
 *
 * Each word is a range of the index of words, in which the word itself comes before longer ones. The range of the rarest word
 * gives the candidates, whose names are then compared with the other words.
 *
 * @param limit maximum number of rows.
 */
export async function findByWords(
  db: Queryable,
  companyId: number,
  text: string,
  limit: number,
): Promise<FoundRow[]> {
  const found = KINDS.map(
    ({ code, table, id, isShown, text: named, at, columns, joins, companyId: workspace }) => Prisma.sql`(
      SELECT ${columns}, ${code}::int AS place, words.exact AS exact, ${at} AS at
      FROM asked
      CROSS JOIN LATERAL (
        SELECT ranges.ids
        FROM unnest(asked.words) AS w (word)
        CROSS JOIN LATERAL (
          SELECT array_agg(range.object_id) AS ids, count(*) AS number
          FROM (
            SELECT s.object_id FROM search_words s
            WHERE s.company_id = ${companyId} AND s.kind = ${code}
              AND s.word >= w.word COLLATE "C" AND s.word < (w.word || ${AFTER_ALL}) COLLATE "C"
            ORDER BY s.word, s.object_id LIMIT ${MOST_CANDIDATES}
          ) AS range
        ) AS ranges
        ORDER BY ranges.number, length(w.word) DESC LIMIT 1
      ) AS rarest
      JOIN ${table} ON ${workspace} = ${companyId} AND ${id} = ANY (rarest.ids)
      ${joins}
      CROSS JOIN LATERAL (
        SELECT bool_and(own.word IS NOT NULL) AS "areAll", count(*) FILTER (WHERE own.word = w.word) AS exact
        FROM unnest(asked.words) AS w (word)
        LEFT JOIN LATERAL (
          SELECT o.word FROM unnest(search_words_of(${named})) AS o (word)
          WHERE starts_with(o.word, w.word) ORDER BY o.word LIMIT 1
        ) AS own ON true
      ) AS words
      WHERE ${isShown} AND words."areAll"
      ORDER BY exact DESC, at DESC, id LIMIT ${limit}
    )`,
  );
  return db.query<FoundRow>(Prisma.sql`
    WITH asked AS MATERIALIZED (SELECT search_words_of(${text}) AS words)
    SELECT kind, id, title, subtitle, "roomId", "callId", email FROM (${Prisma.join(found, ' UNION ALL ')}) AS found
    ORDER BY exact DESC, place, at DESC, id LIMIT ${limit}`);
}

/** Builds the API object of something that was found. */
export function serializeFound({ kind, id, title, subtitle, roomId, callId, email }: FoundRow): FoundObject {
  return { kind, id, title, subtitle, roomId, callId, email };
}
