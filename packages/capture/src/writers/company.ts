import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { switchApi } from '@deal-signals/outbox/api-switch';
import type { EntryOf } from '../records/entry.ts';
import { missingFields } from '../records/new-row.ts';
import { Problems } from '../records/problems.ts';

/** What is stored of a workspace. */
export interface StoredCompany {
  name: string;
  apiEnabled: boolean;
}

/** Reads a workspace; null if it does not exist. */
export async function findCompany(db: Queryable, id: number): Promise<StoredCompany | null> {
  const [stored = null] = await db.query<StoredCompany>(
    Prisma.sql`SELECT name, api_enabled AS "apiEnabled" FROM companies WHERE id = ${id}`,
  );
  return stored;
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
 * Creates a workspace with its feed clock, or updates it under that clock. Switching the API off or on takes the workspace's
 * webhook endpoints with it.
 *
 * @returns whether the record changed something.
 * @throws RecordError if it lacks a field that a new workspace needs.
 */
export async function writeCompany(db: Database, entry: EntryOf<'company'>): Promise<boolean> {
  const { id } = entry.record;
  const known = await findCompany(db, id);
  const { company, isChanged } = changedCompany(entry, known);
  if (!isChanged) return false;
  if (known === null) {
    // Another process may be creating it at the same time.
    await db.$transaction([
      db.$executeRaw`
        INSERT INTO companies (id, name, api_enabled) VALUES (${id}, ${company.name}, ${company.apiEnabled})
        ON CONFLICT DO NOTHING`,
      db.$executeRaw`INSERT INTO feed_clocks (company_id, at) VALUES (${id}, 'epoch') ON CONFLICT DO NOTHING`,
    ]);
  }
  await inFeedTransaction(db, id, async (feed) => {
    const stored = await findCompany(feed.tx, id);
    const { name, apiEnabled } = changedCompany(entry, stored).company;
    await feed.tx.company.update({ where: { id }, data: { name, apiEnabled } });
    if (apiEnabled !== stored?.apiEnabled) await switchApi(feed, apiEnabled);
  });
  return true;
}
