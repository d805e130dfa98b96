import type { CaptureTransaction } from '../../transaction/capture-transaction.ts';

// Each function returns the given ids that exist in the transaction's workspace.

export async function knownUsers({ tx, companyId }: CaptureTransaction, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM users WHERE company_id = ${companyId} AND id = ANY (${ids}::int[])`;
  return new Set(rows.map(({ id }) => id));
}

export async function knownRooms({ tx, companyId }: CaptureTransaction, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM rooms WHERE company_id = ${companyId} AND id = ANY (${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

export async function knownCalls({ tx, companyId }: CaptureTransaction, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM calls WHERE company_id = ${companyId} AND id = ANY (${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}
