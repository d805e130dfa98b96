import type { Entry } from './entry.ts';
import { identityOf } from './identity.ts';
import type { CaptureRecord } from './record.ts';

/** What is written together: the records of a kind, but messages together with events, because both are engagement. */
export type RunKind = Exclude<CaptureRecord['record'], 'message'>;

/** Records that are written together. No two of them write the same row. */
export interface Run {
  kind: RunKind;
  entries: Entry[];
}

/** Kinds that no other record refers to. Adjacent records of these kinds can be written in any order. */
const LEAF_KINDS: ReadonlySet<RunKind> = new Set(['event', 'view', 'actionItem', 'esign']);

/**
 * Splits a batch into runs. Writing them one after the other gives the same result as writing line by line. Events,
 * views and messages usually come interleaved, so adjacent records of leaf kinds are grouped. Any other kind, and a second
 * record for the same row, starts a new group.
 */
export function planRuns(entries: Entry[]): Run[] {
  const runs: Run[] = [];
  let open = new Map<RunKind, Run>();
  const identities = new Set<string>();
  for (const entry of entries) {
    const kind = runKindOf(entry.record);
    const identity = identityOf(entry.record);
    const gathers =
      open.has(kind) || (LEAF_KINDS.has(kind) && [...open.keys()].every((other) => LEAF_KINDS.has(other)));
    if (!gathers || identities.has(identity)) {
      open = new Map();
      identities.clear();
    }
    identities.add(identity);
    const run = open.get(kind);
    if (run) run.entries.push(entry);
    else {
      const started: Run = { kind, entries: [entry] };
      open.set(kind, started);
      runs.push(started);
    }
  }
  return runs;
}

/** Whether nothing that other records refer to is written by a run. */
export function isLeaf({ kind }: Run): boolean {
  return LEAF_KINDS.has(kind);
}

function runKindOf({ record }: CaptureRecord): RunKind {
  return record === 'message' ? 'event' : record;
}
