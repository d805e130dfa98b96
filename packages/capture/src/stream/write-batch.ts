import { UnknownWorkspaceError } from '@deal-signals/db/feeds/feed-clock';
import type { BatchResult } from '../transaction/batch-result.ts';
import type { Entry } from '../records/entry.ts';
import { RecordError } from '../records/record-error.ts';
import type { Store } from './store.ts';

/** The outcome of a batch. */
export interface WrittenBatch {
  /** The outcome of the records that are stored; null if there are none. */
  result: BatchResult | null;
  /** The refused records in order. */
  refused: RecordError[];
}

/**
 * Writes records of one workspace in one transaction. Some errors are only found in the database, such as a reference to
 * an unknown room. A store that does not leave such a record out undoes the whole transaction, which is then repeated with what comes
 * before the record.
 *
 * @throws database errors; then nothing of the batch is stored.
 */
export async function writeBatch(store: Store, companyId: number, batch: Entry[]): Promise<WrittenBatch> {
  let refused: RecordError[] = [];
  let rest = batch;
  while (rest.length > 0) {
    try {
      const [result] = await store.writeBatches(companyId, [rest]);
      refused = [...refused, ...result!.refused];
      const isEmpty = result!.refused.length === rest.length;
      return { result: isEmpty ? null : result!, refused };
    } catch (error) {
      if (error instanceof UnknownWorkspaceError) {
        refused = rest.map(({ line }) => new RecordError(line, 'companyId', error.message));
        break;
      }
      const isOurs = error instanceof RecordError && rest.some(({ line }) => line === error.line);
      if (!isOurs) throw error;
      refused = [error];
      rest = rest.filter(({ line }) => line < error.line);
    }
  }
  return { result: null, refused };
}
