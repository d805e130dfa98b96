import type { Entry } from '../records/entry.ts';

/** Records that were read and are not written yet, by workspace. */
export interface PendingRecords {
  /** Adds a record; returns how many of its workspace are here. */
  add(companyId: number, entry: Entry): number;
  /** Removes and returns the records of a workspace, in order. */
  take(companyId: number): Entry[];
  /** The workspaces that have records here. */
  workspaces(): number[];
  /** How many there are, over all workspaces. */
  count(): number;
  /** The first line that is here; Infinity if there is none. */
  firstLine(): number;
  /** When the first of them was added, by `performance.now()`; Infinity if there is none. */
  sinceMs(): number;
}

export function createPendingRecords(): PendingRecords {
  const batches = new Map<number, { entries: Entry[]; sinceMs: number }>();
  let count = 0;
  return {
    add(companyId, entry) {
      const batch = batches.get(companyId) ?? { entries: [], sinceMs: performance.now() };
      batches.set(companyId, batch);
      count += 1;
      return batch.entries.push(entry);
    },
    take(companyId) {
      const { entries = [] } = batches.get(companyId) ?? {};
      batches.delete(companyId);
      count -= entries.length;
      return entries;
    },
    workspaces: () => [...batches.keys()],
    count: () => count,
    firstLine: () => Math.min(...Array.from(batches.values(), ({ entries }) => entries[0]?.line ?? Infinity)),
    sinceMs: () => Math.min(...Array.from(batches.values(), ({ sinceMs }) => sinceMs)),
  };
}
