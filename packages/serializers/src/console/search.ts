import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { searchWords, NAMED_KINDS, namedObjects, PATTERN_NAMES, PATTERNS } from '../named-objects.ts';

/** The kinds of objects that the search finds. */
export const FOUND_KINDS = ['room', 'call', 'person', 'share_link', 'delivery', 'event', 'endpoint'] as const;

/** An object that the search found. */
export const foundObject = z
  .object({
    kind: z.enum(FOUND_KINDS),
    id: z.string(),
    title: z.string().meta({ description: 'The name or title of the object' }),
    subtitle: z.string().nullable().meta({ description: 'Distinguishes it from others with the same title' }),
    roomId: z
      .guid()
      .nullable()
      .meta({ description: 'The room itself, or the room that the object belongs to' }),
    callId: z.guid().nullable().meta({ description: 'The call itself, or the call that the object shares' }),
    email: z.string().nullable().meta({ description: 'The address of the person' }),
  })
  .meta({ id: 'FoundObject' });

/** An object that the search found, in the API. */
export type FoundObject = z.infer<typeof foundObject>;

/**
 * Maximum number of objects of a kind that are ranked, for each of three matches: the whole words, words that begin with them,
 * and words that contain them. A search with more matches may miss some.
 */
export const MAX_CANDIDATES = 1_000;

/** The kinds that are found by name: their tables and their result columns. */
const KINDS: {
  kind: keyof typeof NAMED_KINDS;
  table: Prisma.Sql;
  isShown: Prisma.Sql;
  at: Prisma.Sql;
  columns: Prisma.Sql;
}[] = [
  {
    kind: 'room',
    table: Prisma.sql`rooms`,
    isShown: Prisma.sql`true`,
    at: Prisma.sql`o.last_activity_at`,
    columns: Prisma.sql`'room' AS kind, o.id::text AS id, o.name AS title, o.status::text AS subtitle,
      o.id::text AS "roomId", NULL AS "callId", NULL AS email`,
  },
  {
    kind: 'call',
    table: Prisma.sql`calls`,
    isShown: Prisma.sql`true`,
    at: Prisma.sql`o.occurred_at`,
    columns: Prisma.sql`'call' AS kind, o.id::text AS id, coalesce(o.title, o.prospect_name) AS title,
      concat_ws(' · ', CASE WHEN o.title IS NOT NULL THEN o.prospect_name END, to_char(o.occurred_at, 'YYYY-MM-DD'))
        AS subtitle,
      o.room_id::text AS "roomId", o.id::text AS "callId", NULL AS email`,
  },
  {
    kind: 'person',
    table: Prisma.sql`people`,
    isShown: Prisma.sql`o.removed_at IS NULL`,
    at: Prisma.sql`o.updated_at`,
    columns: Prisma.sql`'person' AS kind, o.id::text AS id, coalesce(o.name, o.email) AS title,
      concat_ws(' · ', CASE WHEN o.name IS NOT NULL THEN o.email END,
        (SELECT room.name FROM rooms room WHERE room.company_id = o.company_id AND room.id = o.room_id)) AS subtitle,
      o.room_id::text AS "roomId", NULL AS "callId", o.email AS email`,
  },
];

/**
 * Finds rooms, calls and people of one workspace by words of their names, or parts of such words, in any order: those with the most
 * whole words first, then those with the most beginnings of words, then rooms before calls before people, then the newest.
 *
 * @param limit maximum number of rows.
 */
export async function findByName(
  db: Queryable,
  companyId: number,
  text: string,
  limit: number,
): Promise<FoundObject[]> {
  const words = await searchWords(db, text);
  if (words.length === 0) return [];
  const numberOf = (pattern: keyof typeof PATTERNS) =>
    Prisma.join(
      words.map((word) => Prisma.sql`(named.name LIKE ${PATTERNS[pattern](word)})::int`),
      ' + ',
    );
  const found = KINDS.map(({ kind, table, isShown, at, columns }) => {
    const candidates = PATTERN_NAMES.map(
      (pattern) => Prisma.sql`(${namedObjects(companyId, kind, words, pattern, MAX_CANDIDATES)})`,
    );
    return Prisma.sql`(
      SELECT ${columns}, ${NAMED_KINDS[kind]}::int AS place, ${numberOf('whole')} AS whole,
        ${numberOf('beginning')} AS beginnings, ${at} AS at
      FROM (${Prisma.join(candidates, ' UNION ')}) AS named
      -- LIMIT makes a lookup for each row; a join may read all rows of the workspace.
      CROSS JOIN LATERAL (
        SELECT * FROM ${table} WHERE company_id = ${companyId} AND id = named.object_id LIMIT 1
      ) AS o
      WHERE ${isShown}
      ORDER BY whole DESC, beginnings DESC, at DESC, id LIMIT ${limit}
    )`;
  });
  return db.query<FoundObject>(Prisma.sql`
    SELECT kind, id, title, subtitle, "roomId", "callId", email FROM (${Prisma.join(found, ' UNION ALL ')}) AS found
    ORDER BY whole DESC, beginnings DESC, place, at DESC, id LIMIT ${limit}`);
}
