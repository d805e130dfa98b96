import type { Entry } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { type CaptureRecord, KINDS } from '../records/record.ts';

/** What is written together: the records of a kind, but messages together with events, because both are engagement. */
export type GroupKind = Exclude<CaptureRecord['record'], 'message'>;

/** Records that are written together. No two of them write the same row. */
export interface RecordGroup {
  kind: GroupKind;
  entries: Entry[];
}

/**
 * Splits a batch into groups. Writing them one after the other gives the same result as writing line by line. Events,
 * views and messages usually come interleaved, so adjacent records of leaf kinds are grouped. Any other kind, and a second
 * record for the same row, starts a new group.
 */
export function groupRecords(entries: Entry[]): RecordGroup[] {
  const groups: RecordGroup[] = [];
  let open = new Map<GroupKind, RecordGroup>();
  const identities = new Set<string>();
  for (const entry of entries) {
    const kind = groupKind(entry.record);
    const identity = identityOf(entry.record);
    const gathers =
      open.has(kind) || (KINDS[kind].isLeaf && [...open.keys()].every((other) => KINDS[other].isLeaf));
    if (!gathers || identities.has(identity)) {
      open = new Map();
      identities.clear();
    }
    identities.add(identity);
    const group = open.get(kind);
    if (group) group.entries.push(entry);
    else {
      const started: RecordGroup = { kind, entries: [entry] };
      open.set(kind, started);
      groups.push(started);
    }
  }
  return groups;
}

/** Whether nothing that other records refer to is written by a group. */
export function isLeaf({ kind }: RecordGroup): boolean {
  return KINDS[kind].isLeaf === true;
}

function groupKind({ record }: CaptureRecord): GroupKind {
  return record === 'message' ? 'event' : record;
}

/** The records of the leaf kinds before any other. */
export function leadingLeaves(groups: readonly RecordGroup[]): Entry[] {
  const firstOther = groups.findIndex((group) => !isLeaf(group));
  const leaves = firstOther === -1 ? groups : groups.slice(0, firstOther);
  return leaves.flatMap(({ entries }) => entries);
}
