import { Prisma } from '@deal-signals/db/generated/client';

/**
 * The condition that `delivery`, a row of the queue that is updated or deleted, has a certain key.
 *
 * With two equalities, the planner could also join the rows in the order of the primary key, or with a hash table. In an empty queue that
 * costs the same, and a plan that is kept then reads the whole queue later. A workspace in an array can be looked up, but not joined by.
 * See docs/decisions/22-plans-that-are-kept.md.
 */
export function hasKey(companyId: Prisma.Sql, id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`delivery.company_id = ANY (ARRAY[${companyId}]) AND delivery.id = ${id}`;
}
