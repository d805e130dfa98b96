import { UnknownWorkspaceError } from '@deal-signals/db/feeds/feed-clock';
import { createBatcher } from '@deal-signals/runtime/batcher';
import type { BatchResult } from '@deal-signals/capture/transaction/batch-result';
import type { Entry } from '@deal-signals/capture/records/entry';
import { RecordError } from '@deal-signals/capture/records/record-error';
import { BATCH_SIZE, type Store } from '@deal-signals/capture/stream/store';

type Outcome = PromiseSettledResult<BatchResult>;

/**
 * Lets several streams write to a store at the same time. Transactions of one workspace are serialized by its feed clock, so only
 * one of them takes a connection. The batches that arrive while it runs share the next transaction.
 */
export function groupWrites(store: Store): Store {
  const batcher = createBatcher<Entry[], Outcome>(
    (batches, companyId) => writeGroup(store, Number(companyId), batches),
    { maxSize: BATCH_SIZE, weigh: (entries) => entries.length },
  );

  async function write(companyId: number, entries: Entry[]): Promise<BatchResult> {
    const outcome = await batcher.add(String(companyId), entries);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  return {
    onError: store.onError,
    writeCompany: (entry) => store.writeCompany(entry),
    writeBatches: (companyId, batches) => Promise.all(batches.map((entries) => write(companyId, entries))),
  };
}

/**
 * Writes batches in one transaction. If a batch has a faulty record that the store does not skip, each batch gets a transaction
 * of its own.
 */
async function writeGroup(store: Store, companyId: number, batches: Entry[][]): Promise<Outcome[]> {
  if (batches.length > 1) {
    // Lines of different streams must have different numbers.
    let line = 0;
    const numbered = batches.map((entries) => entries.map((entry) => ({ ...entry, line: (line += 1) })));
    try {
      const results = await store.writeBatches(companyId, numbered);
      const lines = batches.flat().map((entry) => entry.line);
      return results.map((result) => {
        const refused = result.refused.map((error) => error.atLine(lines[error.line - 1]!));
        return { status: 'fulfilled', value: { ...result, refused } };
      });
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof UnknownWorkspaceError)) throw error;
    }
  }
  const outcomes: Outcome[] = [];
  for (const entries of batches) {
    const [outcome] = await Promise.allSettled([store.writeBatches(companyId, [entries])]);
    outcomes.push(outcome.status === 'fulfilled' ? { ...outcome, value: outcome.value[0]! } : outcome);
  }
  return outcomes;
}
