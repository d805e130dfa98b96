import type { Distribution } from '@deal-signals/db/generated/client';
import { recipientIdentity } from '@deal-signals/serializers/rooms/identity';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { storedTable } from './table/stored-table.ts';
import { planUpserts } from './table/upsert.ts';

/** The columns that a record sets. */
const DISTRIBUTIONS = storedTable<Omit<Distribution, 'updatedAt'>>({
  kind: 'distribution',
  table: 'distributions',
  columns: {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    roomId: ['room_id', 'uuid'],
    identity: ['identity', 'text'],
    recipientName: ['recipient_name', 'text'],
    recipientEmail: ['recipient_email', 'text'],
    callId: ['call_id', 'uuid'],
    forwardedFromDistributionId: ['forwarded_from_distribution_id', 'uuid'],
  },
  key: ['id'],
});

/** Writes share links. */
export async function writeDistributions(
  capture: CaptureTransaction,
  entries: EntryOf<'distribution'>[],
): Promise<void> {
  const { tx, companyId, at } = capture;
  // A forward may follow its origin in the same list.
  const earlier = new Set<string>();
  const changes = await planUpserts(capture, entries, DISTRIBUTIONS, {
    references: { roomId: 'rooms', callId: 'calls' },
    keys: ({ id, forwardedFromDistributionId: origin }) => [
      { id },
      ...(origin == null ? [] : [{ id: origin }]),
    ],
    patch: (record) => ({
      ...record,
      // An erased recipient without a new address stays who they are.
      identity:
        record.recipientEmail === undefined ? undefined : recipientIdentity(record.id, record.recipientEmail),
    }),
    blank: ({ id, roomId }) => ({
      companyId,
      id,
      roomId,
      identity: recipientIdentity(id, null),
      recipientName: null,
      recipientEmail: null,
      callId: null,
      forwardedFromDistributionId: null,
    }),
    check(problems, { entry, before, after }, stored) {
      problems.requireSameRoom(entry, before, after);
      problems.requireKnown([entry], 'forwardedFromDistributionId', {
        has: (id) => earlier.has(id) || stored.has(`distribution ${id}`),
      });
      if (!problems.has(entry)) earlier.add(after.id);
    },
  });
  if (changes.length > 0) {
    const rows = JSON.stringify(changes.map(({ after }) => after));
    capture.people.push(
      ...(await tx.$queryRaw<CaptureTransaction['people']>`
        SELECT room_id AS "roomId", identity FROM record_links(${companyId}, ${at}, ${rows}::json)`),
    );
  }
  for (const { entry, before, after } of changes) {
    capture.effects.push({
      line: entry.line,
      identity: identityOf(entry.record),
      roomId: after.roomId,
      ...(before && { moves: { table: 'distributions', id: after.id } }),
    });
  }
}
