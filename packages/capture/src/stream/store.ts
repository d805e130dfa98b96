import type { Entry, EntryOf } from '../records/entry.ts';
import type { BatchResult } from '../transaction/batch-result.ts';
import type { OnError } from './capture-options.ts';

/** Maximum records per transaction: enough to amortise the commit, few enough not to hold the feed clock for long. */
export const BATCH_SIZE = 1_000;

/** What the records of a stream are written to. */
export interface Store {
  /** What it does with faulty records of a batch: it leaves them out, or throws the first of them. */
  readonly onError: OnError;
  /**
   * Creates or updates a workspace.
   *
   * @returns whether the record changed something.
   * @throws RecordError if it lacks a field that a new workspace needs.
   */
  writeCompany(entry: EntryOf<'company'>): Promise<boolean>;
  /**
   * Writes batches of one workspace, up to 1,000 records, in one transaction. The lines of all batches increase.
   *
   * @throws RecordError if a record contradicts stored data, unless it leaves it out; UnknownWorkspaceError.
   */
  writeBatches(companyId: number, batches: readonly Entry[][]): Promise<BatchResult[]>;
}
