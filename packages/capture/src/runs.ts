import type { Entry } from './entry.ts';
import { identityOf } from './identity.ts';
import type { CaptureRecord } from './record.ts';

/** Records of one kind that are written with one set of statements; none of them concerns the same row twice. */
export interface Run {
  kind: CaptureRecord['record'];
  entries: Entry[];
}

/** Kinds that nothing refers to: next to each other they can be written in any order. */
const LEAF_KINDS: ReadonlySet<CaptureRecord['record']> = new Set([
  'event',
  'view',
  'actionItem',
  'message',
  'esign',
]);

/**
 * Splits a batch into runs that can be written one after the other with the same result as line by line. Feeds of
 * engagement interleave events, views and messages, so those are gathered by kind; any other record ends a gathering.
 */
export function planRuns(entries: Entry[]): Run[] {
  const runs: Run[] = [];
  let open = new Map<CaptureRecord['record'], Run>();
  const identities = new Set<string>();
  for (const entry of entries) {
    const kind = entry.record.record;
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
