import { UnknownWorkspaceError } from '@deal-signals/db/feeds/feed-clock';
import type { BatchResult } from './capture-batch.ts';
import type { OnError } from './capture-options.ts';
import type { Entry } from './entry.ts';
import { RecordError } from './record-error.ts';
import type { Store } from './store.ts';

/** What became of a batch. */
export interface WrittenBatch {
  /** What became of the records that are stored; null if there are none. */
  result: BatchResult | null;
  /** The refused records in order; at most one if the capture stops there. */
  refused: RecordError[];
}

/**
 * Writes records of one workspace in one transaction. Some errors are only found in the database, such as a reference to
 * an unknown room, and undo the whole transaction. It is then repeated without the refused record, and without those
 * after it if the capture stops there.
 *
 * @throws database errors; then nothing of the batch is stored.
 */
export async function writeBatch(
  store: Store,
  companyId: number,
  batch: Entry[],
  onError: OnError,
): Promise<WrittenBatch> {
  let refused: RecordError[] = [];
  let rest = batch;
  let result: BatchResult | null = null;
  while (rest.length > 0) {
    try {
      [result = null] = await store.writeBatches(companyId, [rest]);
      break;
    } catch (error) {
      const found = refusedBy(error, rest);
      const [first = Infinity] = found.map(({ line }) => line);
      const lines = new Set(found.map(({ line }) => line));
      refused = onError === 'stop' ? found.slice(0, 1) : [...refused, ...found];
      rest = rest.filter(({ line }) => (onError === 'stop' ? line < first : !lines.has(line)));
    }
  }
  return { result, refused: refused.toSorted((a, b) => a.line - b.line) };
}

/** The records that an error refuses. An error that is about none of them is thrown again. */
function refusedBy(error: unknown, entries: Entry[]): RecordError[] {
  if (error instanceof UnknownWorkspaceError) {
    return entries.map(({ line }) => new RecordError(line, 'companyId', error.message));
  }
  if (error instanceof RecordError && entries.some(({ line }) => line === error.line)) {
    return [error, ...error.later];
  }
  throw error;
}
