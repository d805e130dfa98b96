import { type ActionItem, Prisma } from '@deal-signals/db/generated/client';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { referenced, type EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { knownRooms } from './table/known-ids.ts';
import { Problems } from '../records/problems.ts';
import { byIdentity, planUpserts } from './table/upsert.ts';

const ACTION_ITEMS = storedTable<ActionItem>(
  'action_items',
  {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    roomId: ['room_id', 'uuid'],
    title: ['title', 'text'],
    dueDate: ['due_date', 'date'],
    completedAt: ['completed_at', 'timestamptz'],
    completedBy: ['completed_by', 'side'],
  },
  { key: ['companyId', 'id'] },
);

/** Writes the items of mutual action plans. */
export async function writeActionItems(
  capture: CaptureTransaction,
  entries: EntryOf<'actionItem'>[],
): Promise<void> {
  const { tx, companyId } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));

  const stored = await ACTION_ITEMS.find(
    tx,
    companyId,
    Prisma.sql`id = ANY (${entries.map(({ record }) => record.id)}::uuid[])`,
  );
  const { inserts, updates } = planUpserts<EntryOf<'actionItem'>, ActionItem>(
    capture,
    problems,
    entries,
    byIdentity(stored, ({ id }) => `actionItem ${id}`),
    {
      patch: (record) => ({
        roomId: record.roomId,
        title: record.title,
        dueDate: record.dueDate,
        completedAt: record.completedAt,
        completedBy: record.completedAt === null ? (record.completedBy ?? null) : record.completedBy,
      }),
      blank: (record) => ({
        companyId,
        id: record.id,
        roomId: record.roomId,
        title: record.title,
        dueDate: null,
        completedAt: null,
        completedBy: null,
      }),
      check(entry, before, after) {
        problems.requireSameRoom(entry, before, after);
        if (after.completedBy !== null && after.completedAt === null) {
          problems.add(entry, 'completedBy', 'requires completedAt');
        }
      },
    },
  );

  await ACTION_ITEMS.store(
    tx,
    [...inserts, ...updates].map(({ after }) => after),
  );
  for (const { entry, after } of [...inserts, ...updates]) {
    capture.effects.push({ line: entry.line, identity: identityOf(entry.record), roomId: after.roomId });
  }
}
