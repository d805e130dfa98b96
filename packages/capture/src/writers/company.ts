import type { Database } from '@deal-signals/db/database';
import type { RecordOf } from '../record.ts';

/**
 * Creates or updates a workspace and gives it its feed clock. It writes to no feed, so it is the one record that is not
 * written under the clock. A clock that is there already is left alone, lock and all: everybody else takes the clock before
 * the company, and an insertion that only finds a conflict would wait for it here the other way round.
 */
export async function writeCompany(
  db: Database,
  { id, name, apiEnabled }: RecordOf<'company'>,
): Promise<void> {
  await db.$transaction([
    db.company.upsert({
      where: { id },
      create: { id, name, apiEnabled: apiEnabled ?? true },
      update: { name, ...(apiEnabled !== undefined && { apiEnabled }) },
    }),
    db.$executeRaw`
      INSERT INTO feed_clocks (company_id, at)
      SELECT ${id}::int, 'epoch' WHERE NOT EXISTS (SELECT FROM feed_clocks WHERE company_id = ${id})
      ON CONFLICT DO NOTHING`,
  ]);
}
