import type { Database } from '@deal-signals/db/database';
import { switchEndpoints } from '@deal-signals/outbox/api-switch';
import type { EntryOf } from '../entry.ts';
import { missingFields } from '../new-row.ts';
import { Problems } from '../problems.ts';

/**
 * Creates or updates a workspace and creates its feed clock. A company record changes no feed, so it is the only kind
 * that is written without holding the clock.
 *
 * An existing clock is not touched. All other writers lock the clock first and then the company row. Here the company
 * row is locked already, so waiting for a locked clock, as a conflicting INSERT does, could deadlock.
 *
 * Switching the API off or on takes the workspace's webhook endpoints with it.
 *
 * @returns whether the record changed something.
 * @throws RecordError if it lacks a field that a new workspace needs.
 */
export async function writeCompany(db: Database, entry: EntryOf<'company'>): Promise<boolean> {
  const { id, name, apiEnabled } = entry.record;
  const stored = await db.company.findUnique({ where: { id }, select: { name: true, apiEnabled: true } });
  const problems = new Problems();
  if (stored === null) problems.requireFields(entry, missingFields(entry.record));
  problems.requireNone();

  const before = stored ?? { name: '', apiEnabled: true };
  const after = { name: name ?? before.name, apiEnabled: apiEnabled ?? before.apiEnabled };
  await db.$transaction([
    db.company.upsert({
      where: { id },
      create: { id, ...after },
      update: { ...(name !== undefined && { name }), ...(apiEnabled !== undefined && { apiEnabled }) },
    }),
    db.$executeRaw`
      INSERT INTO feed_clocks (company_id, at)
      SELECT ${id}::int, 'epoch' WHERE NOT EXISTS (SELECT FROM feed_clocks WHERE company_id = ${id})
      ON CONFLICT DO NOTHING`,
    ...(apiEnabled === undefined ? [] : [switchEndpoints(db, id, apiEnabled)]),
  ]);
  return stored === null || after.name !== stored.name || after.apiEnabled !== stored.apiEnabled;
}
