import { type Distribution, Prisma } from '@deal-signals/db/generated/client';
import { recipientIdentity } from '@deal-signals/serializers/rooms/identity';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { referenced, type EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { knownCalls, knownRooms } from './table/known-ids.ts';
import { Problems } from '../records/problems.ts';
import { byIdentity, planUpserts } from './table/upsert.ts';

/** The columns that a record sets. */
type DistributionColumns = Omit<Distribution, 'updatedAt'>;

/** Writes share links. */
export async function writeDistributions(
  capture: CaptureTransaction,
  entries: EntryOf<'distribution'>[],
): Promise<void> {
  const { tx, companyId, at } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));
  problems.requireKnown(entries, 'callId', await knownCalls(capture, referenced(entries, 'callId')));

  const ids = [
    ...entries.map(({ record }) => record.id),
    ...referenced(entries, 'forwardedFromDistributionId'),
  ];
  const stored = await tx.query<DistributionColumns>(Prisma.sql`
    SELECT company_id AS "companyId", id, room_id AS "roomId", identity, recipient_name AS "recipientName",
           recipient_email AS "recipientEmail", call_id AS "callId",
           forwarded_from_distribution_id AS "forwardedFromDistributionId"
    FROM distributions
    WHERE company_id = ${companyId} AND id = ANY (${ids}::uuid[])`);
  const byId = new Map(stored.map((row) => [row.id, row]));
  // A forward may follow its origin in the same list.
  const known = new Set(byId.keys());

  const { inserts, updates } = planUpserts<EntryOf<'distribution'>, DistributionColumns>(
    capture,
    problems,
    entries,
    byIdentity(stored, ({ id }) => `distribution ${id}`),
    {
      patch: (record) => ({
        roomId: record.roomId,
        // An erased recipient without a new address stays who they are.
        identity:
          record.recipientEmail === undefined
            ? undefined
            : recipientIdentity(record.id, record.recipientEmail),
        recipientName: record.recipientName,
        recipientEmail: record.recipientEmail,
        callId: record.callId,
        forwardedFromDistributionId: record.forwardedFromDistributionId,
      }),
      blank: (record) => ({
        companyId,
        id: record.id,
        roomId: record.roomId,
        identity: recipientIdentity(record.id, null),
        recipientName: null,
        recipientEmail: null,
        callId: null,
        forwardedFromDistributionId: null,
      }),
      check(entry, before, after) {
        problems.requireSameRoom(entry, before, after);
        problems.requireKnown([entry], 'forwardedFromDistributionId', known);
        if (!problems.has(entry)) known.add(after.id);
      },
    },
  );

  const links = [...inserts, ...updates].toSorted((a, b) => a.entry.line - b.entry.line);
  if (links.length > 0) {
    const rows = JSON.stringify(links.map(({ after }) => after));
    capture.people.push(
      ...(await tx.$queryRaw<CaptureTransaction['people']>`
        SELECT room_id AS "roomId", identity FROM record_links(${companyId}, ${at}, ${rows}::json)`),
    );
  }
  for (const { entry, after } of inserts) {
    capture.effects.push({ line: entry.line, identity: identityOf(entry.record), roomId: after.roomId });
  }
  for (const { entry, after } of updates) {
    capture.effects.push({
      line: entry.line,
      identity: identityOf(entry.record),
      roomId: after.roomId,
      moves: { table: 'distributions', id: after.id },
    });
  }
}
