import type { Call, Distribution } from '@deal-signals/db/generated/client';
import type { CaptureTransaction } from './capture-transaction.ts';
import { referenced, requireKnown, type EntryOf } from './entry.ts';
import { RecordError } from './record-error.ts';

/** A share link with its recording, if it has one. */
export type ShareLink = Distribution & { call: Pick<Call, 'id' | 'title' | 'durationSeconds'> | null };

/**
 * Finds the share links that records refer to.
 *
 * @returns the links by id.
 * @throws RecordError for the first record whose link is unknown.
 */
export async function findShareLinks(
  { tx, companyId }: CaptureTransaction,
  entries: EntryOf<'event' | 'view' | 'message'>[],
): Promise<Map<string, ShareLink>> {
  const ids = referenced(entries, 'distributionId');
  if (ids.length === 0) return new Map();
  const links = await tx.distribution.findMany({
    where: { companyId, id: { in: ids } },
    include: { call: { select: { id: true, title: true, durationSeconds: true } } },
  });
  const byId = new Map(links.map((link) => [link.id, link]));
  requireKnown(entries, 'distributionId', byId);
  return byId;
}

/**
 * Checks that each document exists and belongs to the room of the share link through which it was opened.
 *
 * @throws RecordError for the first record whose document does not.
 */
export async function requireDocumentsInRoom(
  { tx, companyId }: CaptureTransaction,
  entries: EntryOf<'event' | 'view'>[],
  links: Map<string, ShareLink>,
): Promise<void> {
  const ids = referenced(entries, 'docId');
  if (ids.length === 0) return;
  const documents = await tx.document.findMany({
    where: { companyId, id: { in: ids } },
    select: { id: true, roomId: true },
  });
  const roomOf = new Map(documents.map(({ id, roomId }) => [id, roomId]));
  requireKnown(entries, 'docId', roomOf);
  for (const { record, line } of entries) {
    if (record.docId != null && roomOf.get(record.docId) !== links.get(record.distributionId)?.roomId) {
      throw new RecordError(line, 'docId', "expected a document in the distribution's room");
    }
  }
}
