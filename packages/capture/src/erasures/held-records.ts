import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { ErasureRun, Means } from './erasure-run.ts';

/** Erases a person in the records that wait for their share links: a workspace has a thousand at most. */
export async function eraseInHeldRecords(
  { tx, companyId }: FeedTransaction,
  { kind }: ErasureRun,
  { erase, search }: Means,
): Promise<void> {
  // Nobody knows yet of which room they are.
  if (kind === 'room' || search === null) return;
  const rows = await tx.$queryRaw<{ id: bigint; key: string; record: string }[]>`
    SELECT id, key, record FROM held_records WHERE company_id = ${companyId} AND record ~ ${search.pattern}`;
  for (const { id, key, record } of rows) {
    const erasedKey = erase('key', key) as string;
    const after = { ...(erase('details', JSON.parse(record)) as object), key: erasedKey };
    await tx.$executeRaw`
      UPDATE held_records SET key = ${erasedKey}, record = ${JSON.stringify(after)}
      WHERE company_id = ${companyId} AND id = ${id}`;
  }
}
