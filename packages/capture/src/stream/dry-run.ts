import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { type BatchOptions, captureBatches } from '../transaction/capture-batch.ts';
import { changedCompany, findCompany, type StoredCompany } from '../writers/company.ts';
import type { Store } from './store.ts';

/**
 * Creates the store of a dry run. It writes the first batch of each workspace in a transaction that it rolls back, so that this batch
 * passes every check of a capture. Records of a later batch may refer to those of the first, which are not stored by then: they are not
 * checked against the database, and count as validated.
 */
export function createDryRun(db: Database, options: BatchOptions & Pick<Store, 'onError'>): Store {
  const companies = new Map<number, StoredCompany>();
  /** The workspaces whose first batch was written and rolled back. */
  const checked = new Set<number>();
  return {
    onError: options.onError,
    async writeCompany(entry) {
      const { id } = entry.record;
      const stored = companies.get(id) ?? (await findCompany(db, id));
      const { company, isChanged } = changedCompany(entry, stored);
      companies.set(id, company);
      return isChanged;
    },
    async writeBatches(companyId, batches) {
      if (checked.has(companyId)) {
        return batches.map(({ length }) => ({ captured: 0, unchanged: 0, validated: length, refused: [] }));
      }
      const company = companies.get(companyId);
      const results = await captureBatches(db, companyId, batches, {
        ...options,
        rollBack: true,
        ...(company && { prepare: (tx) => createMissingCompany(tx, companyId, company) }),
      });
      checked.add(companyId);
      return results;
    },
  };
}

/** Creates a workspace that the stream has a record of, if it does not exist. */
async function createMissingCompany(tx: Queryable, id: number, { name }: StoredCompany): Promise<void> {
  await tx.$executeRaw`INSERT INTO companies (id, name) VALUES (${id}, ${name}) ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`INSERT INTO feed_clocks (company_id, at) VALUES (${id}, 'epoch') ON CONFLICT DO NOTHING`;
}
