import type { User } from '@deal-signals/db/generated/client';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { writeUpserts } from './table/upsert.ts';

const USERS = storedTable<User>({
  kind: 'user',
  table: 'users',
  columns: {
    companyId: ['company_id', 'int'],
    id: ['id', 'int'],
    name: ['name', 'text'],
    email: ['email', 'text'],
  },
  key: ['id'],
});

/** Writes sellers. Rooms and calls show their owner's name, so updating a seller moves the rooms and calls they own. */
export async function writeUsers(capture: CaptureTransaction, entries: EntryOf<'user'>[]): Promise<void> {
  const changes = await writeUpserts(capture, entries, USERS, {
    patch: (record) => record,
    blank: ({ companyId, id, name, email }) => ({ companyId, id, name, email }),
  });
  const updates = changes.filter(({ before }) => before !== undefined);
  const owned = await findOwned(
    capture,
    updates.map(({ after }) => after.id),
  );
  for (const { entry, after } of updates) {
    const effect = { line: entry.line, identity: `user ${after.id}` };
    const { callIds, roomIds } = owned.get(after.id) ?? { callIds: null, roomIds: null };
    capture.effects.push({ ...effect, callIds: callIds ?? [] });
    for (const roomId of roomIds ?? []) capture.effects.push({ ...effect, roomId });
  }
}

interface Owned {
  ownerId: number;
  /** Null without calls. */
  callIds: string[] | null;
  /** Null without rooms. */
  roomIds: string[] | null;
}

/** What sellers own, by seller. */
async function findOwned({ tx, companyId }: CaptureTransaction, ids: number[]): Promise<Map<number, Owned>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.$queryRaw<Owned[]>`
    SELECT seller.id AS "ownerId",
           (SELECT array_agg(id) FROM calls WHERE company_id = ${companyId} AND owner_id = seller.id) AS "callIds",
           (SELECT array_agg(id) FROM rooms WHERE company_id = ${companyId} AND owner_id = seller.id) AS "roomIds"
    FROM unnest(${ids}::int[]) AS seller (id)`;
  return new Map(rows.map((row) => [row.ownerId, row]));
}
