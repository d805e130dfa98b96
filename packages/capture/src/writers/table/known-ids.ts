import { Prisma } from '@deal-signals/db/generated/client';
import type { CaptureTransaction } from '../../transaction/capture-transaction.ts';

/** The tables that records refer to by id, with the type of their ids. */
const ID_TYPES = { users: 'int', rooms: 'uuid', calls: 'uuid' } as const;

export type ReferencedTable = keyof typeof ID_TYPES;

/** Returns the given ids that exist in the transaction's workspace. */
export async function knownIds(
  { tx, companyId }: CaptureTransaction,
  table: ReferencedTable,
  ids: readonly unknown[],
): Promise<Set<unknown>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: unknown }>(Prisma.sql`
    SELECT id FROM ${Prisma.raw(table)}
    WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::${Prisma.raw(ID_TYPES[table])}[])`);
  return new Set(rows.map(({ id }) => id));
}
