import { Prisma } from '@deal-signals/db/generated/client';

/** The kinds of objects that are found by name and written here; people follow from members and activity. */
const KINDS = { room: 1, call: 2 } as const;

/** An object, and what it was called before, if it is not new, and is called now. */
export interface Named {
  id: string;
  namedBefore: string | null;
  named: string;
}

/**
 * The query that makes objects be found by what they are called now. It can end the statement that writes them.
 *
 * @returns null if nothing is called otherwise than before.
 */
export function replacedNames(
  companyId: number,
  kind: keyof typeof KINDS,
  objects: readonly Named[],
): Prisma.Sql | null {
  const renamed = objects.filter(({ namedBefore, named }) => namedBefore !== named);
  if (renamed.length === 0) return null;
  return Prisma.sql`
    SELECT replace_search_names(${companyId}, ${KINDS[kind]}::smallint, ${renamed.map(({ id }) => id)}::uuid[],
      ${renamed.map(({ named }) => named)}::text[])`;
}
