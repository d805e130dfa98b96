import type { Database } from '@deal-signals/db/database';
import { captureBatch } from './capture-batch.ts';
import type { CaptureOptions } from './capture-options.ts';
import { createDryRun } from './dry-run.ts';
import type { Entry } from './entry.ts';
import type { RecordOf } from './record.ts';
import { writeCompany } from './writers/company.ts';

/** Maximum records per transaction: enough to amortise the commit, few enough not to hold the feed clock for long. */
export const BATCH_SIZE = 1_000;

/** What the records of a stream are written to. */
export interface Store {
  /** Creates or updates a workspace. */
  writeCompany(record: RecordOf<'company'>): Promise<void>;
  /**
   * Writes up to 1,000 records of one workspace, all of them or none.
   *
   * @throws RecordError if a record contradicts stored data; UnknownWorkspaceError.
   */
  writeBatch(companyId: number, entries: Entry[]): Promise<void>;
}

/** Opens the store for one stream: the database, or a dry run of it. */
export function openStore(db: Database, { dryRun = false }: Pick<CaptureOptions, 'dryRun'> = {}): Store {
  if (dryRun) return createDryRun(db);
  return {
    writeCompany: (record) => writeCompany(db, record),
    writeBatch: (companyId, entries) => captureBatch(db, companyId, entries),
  };
}
