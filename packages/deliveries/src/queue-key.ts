import { Prisma } from '@deal-signals/db/generated/client';

/**
 * Returns the condition that `delivery`, the queue row to update or delete, has the given key.
 *
 * The workspace is compared with an array, which allows an index lookup but no join. With two equalities, the planner might use a
 * merge join or a hash join: for an empty queue these cost the same, but a cached plan would later read the whole queue. See
 * docs/decisions/22-plans-that-are-kept.md.
 */
export function hasKey(companyId: Prisma.Sql, id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`delivery.company_id = ANY (ARRAY[${companyId}]) AND delivery.id = ${id}`;
}
