import { AsyncResource } from 'node:async_hooks';
import { UnknownWorkspaceError } from '@deal-signals/db/feeds/feed-clock';
import type { BatchResult } from './capture-batch.ts';
import type { Entry } from './entry.ts';
import { RecordError } from './record-error.ts';
import { BATCH_SIZE, type Store } from './store.ts';

/** A batch that waits until its workspace is free. */
interface Waiting {
  entries: Entry[];
  /** Where the batch was written, as traces follow it. */
  origin: AsyncResource;
  resolve: (result: BatchResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets several streams write to a store at the same time. Transactions of one workspace exclude each other by its feed
 * clock, so only one of them takes a connection, and the batches that come meanwhile share the next one.
 */
export function groupWrites(store: Store): Store {
  const lines = new Map<number, Waiting[]>();

  async function writeAll(companyId: number, line: Waiting[]): Promise<void> {
    for (let group = takeGroup(line); group.length > 0; group = takeGroup(line)) {
      // Otherwise everything would be traced below the request that began the line, for as long as there is load.
      await group[0]!.origin.runInAsyncScope(writeGroup, null, store, companyId, group);
    }
    lines.delete(companyId);
  }

  return {
    writeCompany: (entry) => store.writeCompany(entry),
    writeBatches: (companyId, batches) =>
      Promise.all(
        batches.map(
          (entries) =>
            new Promise<BatchResult>((resolve, reject) => {
              const waiting = { entries, origin: new AsyncResource('WaitingBatch'), resolve, reject };
              const line = lines.get(companyId);
              if (line !== undefined) {
                line.push(waiting);
                return;
              }
              const started = [waiting];
              lines.set(companyId, started);
              void writeAll(companyId, started);
            }),
        ),
      ),
  };
}

/** Takes the batches that come first and fit into one transaction, at least one of them. */
function takeGroup(line: Waiting[]): Waiting[] {
  let size = 0;
  const end = line.findIndex(({ entries }, index) => {
    size += entries.length;
    return index > 0 && size > BATCH_SIZE;
  });
  return line.splice(0, end === -1 ? line.length : end);
}

/** Writes batches in one transaction. If one of them has a refused record, each gets a transaction of its own. */
async function writeGroup(store: Store, companyId: number, group: Waiting[]): Promise<void> {
  if (group.length > 1) {
    // Lines of different streams must not be taken for each other.
    let line = 0;
    const batches = group.map(({ entries }) => entries.map((entry) => ({ ...entry, line: (line += 1) })));
    try {
      const results = await store.writeBatches(companyId, batches);
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
      return;
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof UnknownWorkspaceError)) {
        for (const { reject } of group) reject(error);
        return;
      }
    }
  }
  for (const { entries, resolve, reject } of group) {
    await store.writeBatches(companyId, [entries]).then(([result]) => resolve(result!), reject);
  }
}
