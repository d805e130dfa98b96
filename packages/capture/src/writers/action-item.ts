import type { ActionItem } from '@deal-signals/db/generated/client';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { writeUpserts } from './table/upsert.ts';

const ACTION_ITEMS = storedTable<ActionItem>({
  kind: 'actionItem',
  table: 'action_items',
  columns: {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    roomId: ['room_id', 'uuid'],
    title: ['title', 'text'],
    dueDate: ['due_date', 'date'],
    completedAt: ['completed_at', 'timestamptz'],
    completedBy: ['completed_by', 'side'],
  },
  key: ['id'],
});

/** Writes the items of mutual action plans. */
export async function writeActionItems(
  capture: CaptureTransaction,
  entries: EntryOf<'actionItem'>[],
): Promise<void> {
  const changes = await writeUpserts(capture, entries, ACTION_ITEMS, {
    references: { roomId: 'rooms' },
    patch: (record) => ({
      ...record,
      completedBy: record.completedAt === null ? (record.completedBy ?? null) : record.completedBy,
    }),
    blank: ({ companyId, id, roomId, title }) => ({
      companyId,
      id,
      roomId,
      title,
      dueDate: null,
      completedAt: null,
      completedBy: null,
    }),
    check(problems, { entry, before, after }) {
      problems.requireSameRoom(entry, before, after);
      if (after.completedBy !== null && after.completedAt === null) {
        problems.add(entry, 'completedBy', 'requires completedAt');
      }
    },
  });
  for (const { entry, after } of changes) {
    capture.effects.push({ line: entry.line, identity: identityOf(entry.record), roomId: after.roomId });
  }
}
