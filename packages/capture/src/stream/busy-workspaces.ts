import { databaseFailure, LOCK_NOT_AVAILABLE } from '@deal-signals/db/database-errors';
import type { Store } from './store.ts';

/** How long a store waits for a workspace whose feed clock another transaction holds. */
export interface Waiting {
  /** Maximum time for one batch. Each attempt to take the clock lasts as long as `lock_timeout`. */
  maxWaitMs: number;
  /** No further attempt is made after this signal. */
  signal: AbortSignal;
  /** Called after each attempt that did not get the clock. */
  onBusy: (companyId: number, waitedMs: number) => void;
}

/** Returns a store that writes a batch again if its workspace was busy, until it is written or the time is over. */
export function waitForBusyWorkspaces(store: Store, { maxWaitMs, signal, onBusy }: Waiting): Store {
  async function wait<T>(companyId: number, write: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const waitedMs = performance.now() - startedMs;
        // The transaction was rolled back, so writing the batch again is safe.
        if (databaseFailure(error)?.sqlState !== LOCK_NOT_AVAILABLE) throw error;
        if (waitedMs >= maxWaitMs || signal.aborted) {
          const seconds = Math.round(waitedMs / 1_000);
          const problem = `workspace ${companyId} was busy for ${seconds} s: another transaction writes to it`;
          throw new Error(problem, { cause: error });
        }
        onBusy(companyId, waitedMs);
      }
    }
  }

  return {
    onError: store.onError,
    writeCompany: (entry) => wait(entry.record.id, () => store.writeCompany(entry)),
    writeBatches: (companyId, batches) => wait(companyId, () => store.writeBatches(companyId, batches)),
  };
}
