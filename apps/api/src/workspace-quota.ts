import type { Transaction } from '@deal-signals/db/database';

/**
 * Makes whoever counts a workspace's keys or endpoints before adding one do so one after the other. The lock leaves
 * foreign-key checks alone, so captures go on meanwhile.
 */
export async function lockCompany(tx: Transaction, companyId: number): Promise<void> {
  await tx.$queryRaw`SELECT id FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
}
