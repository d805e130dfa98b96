import type { Database } from '@deal-signals/db/database';
import { switchEndpoints } from '@deal-signals/outbox/api-switch';
import type { RecordOf } from '../record.ts';

/**
 * Creates or updates a workspace and creates its feed clock. A company record changes no feed, so it is the only kind
 * that is written without holding the clock.
 *
 * An existing clock is not touched. All other writers lock the clock first and then the company row. Here the company
 * row is locked already, so waiting for a locked clock, as a conflicting INSERT does, could deadlock.
 *
 * Switching the API off or on takes the workspace's webhook endpoints with it.
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
    ...(apiEnabled === undefined ? [] : [switchEndpoints(db, id, apiEnabled)]),
  ]);
}
