import type { Database } from '@deal-signals/db/database';
import { auditApiSwitch, switchEndpoints } from '@deal-signals/outbox/api-switch';
import type { EntryOf } from '../entry.ts';
import { missingFields } from '../new-row.ts';
import { Problems } from '../problems.ts';

/** What is stored of a workspace. */
export interface StoredCompany {
  name: string;
  apiEnabled: boolean;
}

/** Reads a workspace; null if it does not exist. */
export function findCompany(db: Database, id: number): Promise<StoredCompany | null> {
  return db.company.findUnique({ where: { id }, select: { name: true, apiEnabled: true } });
}

/**
 * Applies a record to what is stored.
 *
 * @throws RecordError if it lacks a field that a new workspace needs.
 */
export function changedCompany(
  entry: EntryOf<'company'>,
  stored: StoredCompany | null,
): { company: StoredCompany; isChanged: boolean } {
  const { name, apiEnabled } = entry.record;
  const problems = new Problems();
  if (stored === null) problems.requireFields(entry, missingFields(entry.record));
  problems.requireNone();
  const company = {
    name: name ?? stored?.name ?? '',
    apiEnabled: apiEnabled ?? stored?.apiEnabled ?? true,
  };
  return {
    company,
    isChanged: stored === null || company.name !== stored.name || company.apiEnabled !== stored.apiEnabled,
  };
}

/**
 * Creates or updates a workspace and creates its feed clock. A company record changes no feed, so it is the only kind
 * that is written without holding the clock.
 *
 * An existing clock is not touched. All other writers lock the clock first and then the company row. Here the company
 * row is locked already, so waiting for a locked clock, as a conflicting INSERT does, could deadlock.
 *
 * Switching the API off or on takes the workspace's webhook endpoints with it, and is recorded in the audit log.
 *
 * @returns whether the record changed something.
 * @throws RecordError if it lacks a field that a new workspace needs.
 */
export async function writeCompany(db: Database, entry: EntryOf<'company'>): Promise<boolean> {
  const { id, name, apiEnabled } = entry.record;
  const { company, isChanged } = changedCompany(entry, await findCompany(db, id));
  await db.$transaction([
    ...(apiEnabled === undefined ? [] : auditApiSwitch(db, id, apiEnabled)),
    db.company.upsert({
      where: { id },
      create: { id, ...company },
      update: { ...(name !== undefined && { name }), ...(apiEnabled !== undefined && { apiEnabled }) },
    }),
    db.$executeRaw`
      INSERT INTO feed_clocks (company_id, at)
      SELECT ${id}::int, 'epoch' WHERE NOT EXISTS (SELECT FROM feed_clocks WHERE company_id = ${id})
      ON CONFLICT DO NOTHING`,
    ...(apiEnabled === undefined ? [] : [switchEndpoints(db, id, apiEnabled)]),
  ]);
  return isChanged;
}
