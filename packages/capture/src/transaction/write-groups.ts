import type { CaptureTransaction } from './capture-transaction.ts';
import type { Entry, EntryOf } from '../records/entry.ts';
import { writeActionItems } from '../writers/action-item.ts';
import { writeCallSummaries } from '../writers/call-summary.ts';
import { writeCalls } from '../writers/call.ts';
import { writeDistributions } from '../writers/distribution.ts';
import { writeDocuments } from '../writers/document.ts';
import { writeErasures } from '../writers/erasure.ts';
import { writeEsignDocuments } from '../writers/esign.ts';
import { writeEngagement } from '../writers/engagement.ts';
import { writeMembers } from '../writers/member.ts';
import { writeRooms } from '../writers/room.ts';
import { writeUsers } from '../writers/user.ts';
import { writeViews } from '../writers/view.ts';
import { type GroupKind, isLeaf, type RecordGroup } from './record-groups.ts';

/** Records that belong to a workspace: all except `company`. */
type Kind = Exclude<GroupKind, 'company'>;
type RecordsOf<K extends Kind> = K extends 'event' ? 'event' | 'message' : K;

const WRITERS: {
  [K in Kind]: (capture: CaptureTransaction, entries: EntryOf<RecordsOf<K>>[]) => Promise<void>;
} = {
  user: writeUsers,
  room: writeRooms,
  member: writeMembers,
  call: writeCalls,
  callSummary: writeCallSummaries,
  distribution: writeDistributions,
  document: writeDocuments,
  event: writeEngagement,
  view: writeViews,
  actionItem: writeActionItems,
  esign: writeEsignDocuments,
  erasePerson: writeErasures,
  eraseRoom: writeErasures,
};

/** Checks and writes the records, group by group. Engagement is only gathered: the last statement writes it. */
export async function writeGroups(
  capture: CaptureTransaction,
  groups: readonly RecordGroup[],
): Promise<void> {
  for (const group of groups) {
    // It writes what engagement refers to.
    if (!isLeaf(group)) capture.context = null;
    // The entries of a group are of its kind, but the compiler cannot tell that they match the writer.
    const write = WRITERS[group.kind as Kind] as (
      transaction: CaptureTransaction,
      entries: Entry[],
    ) => Promise<void>;
    await write(capture, group.entries);
  }
}
