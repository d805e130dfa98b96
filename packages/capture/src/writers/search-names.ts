import { Prisma } from '@deal-signals/db/generated/client';

/** What is found by name and written here, and the columns of its name; people follow from members and activity. */
const FOUND = {
  room: { kind: 1, columns: ['name'] },
  call: { kind: 2, columns: ['title', 'prospectName'] },
} as const;

/** A kind of objects that are found by name. */
export type FoundKind = keyof typeof FOUND;

/**
 * The query that makes objects be found by what they are called now. It can end the statement that writes them.
 *
 * @param objects as they were, unless they are new, and as they are now.
 * @returns null if nothing is called otherwise than before.
 */
export function replacedNames(
  companyId: number,
  found: FoundKind,
  objects: readonly { id: string; before: object | undefined; after: object }[],
): Prisma.Sql | null {
  const { kind, columns } = FOUND[found];
  const nameOf = (row: object) =>
    columns.flatMap((column) => (row as Record<string, string | null>)[column] ?? []).join(' ');
  const renamed = objects.filter(({ before, after }) => !before || nameOf(before) !== nameOf(after));
  if (renamed.length === 0) return null;
  return Prisma.sql`
    SELECT replace_search_names(${companyId}, ${kind}::smallint, ${renamed.map(({ id }) => id)}::uuid[],
      ${renamed.map(({ after }) => nameOf(after))}::text[])`;
}
