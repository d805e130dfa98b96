import { type Subscriber, subscribersOf } from '@deal-signals/outbox/record-events';
import type { CaptureTransaction } from './capture-transaction.ts';
import { referenced, type EntryOf } from './entry.ts';
import type { HeldEntry } from './hold-records.ts';
import type { Problems } from './problems.ts';

/** A share link with its recording, if it has one. */
export interface ShareLink {
  id: string;
  roomId: string;
  recipientName: string | null;
  recipientEmail: string | null;
  forwardedFromDistributionId: string | null;
  call: { id: string; title: string | null; durationSeconds: number | null } | null;
}

/**
 * Finds the share links that records refer to, and checks that each document exists and belongs to the room of the share
 * link through which it was opened. The same statement reads the subscribers, which most of these records need.
 *
 * @param problems gets the records whose link or document is not as expected.
 * @returns the links by id, and the records that are to wait for a link.
 */
export async function findShareLinks<E extends HeldEntry>(
  capture: CaptureTransaction,
  problems: Problems,
  entries: E[],
): Promise<{ links: Map<string, ShareLink>; unlinked: E[] }> {
  const { tx, companyId } = capture;
  const opened = (entries as HeldEntry[]).filter(isOpened);
  const [found] = await tx.$queryRaw<
    { links: ShareLink[]; documents: { id: string; roomId: string }[]; subscribers: Subscriber[] }[]
  >`
    SELECT (
      SELECT coalesce(json_agg(link), '[]') FROM (
        SELECT d.id, d.room_id AS "roomId", d.recipient_name AS "recipientName", d.recipient_email AS "recipientEmail",
               d.forwarded_from_distribution_id AS "forwardedFromDistributionId",
               CASE WHEN c.id IS NOT NULL THEN
                 json_build_object('id', c.id, 'title', c.title, 'durationSeconds', c.duration_seconds) END AS call
        FROM distributions d
        LEFT JOIN calls c ON c.company_id = d.company_id AND c.id = d.call_id
        WHERE d.company_id = ${companyId} AND d.id = ANY (${referenced(entries, 'distributionId')}::uuid[])
      ) AS link
    ) AS links, (
      SELECT coalesce(json_agg(json_build_object('id', id, 'roomId', room_id)), '[]') FROM documents
      WHERE company_id = ${companyId} AND id = ANY (${referenced(opened, 'docId')}::uuid[])
    ) AS documents, (
      SELECT coalesce(json_agg(subscriber), '[]') FROM (${subscribersOf(companyId)}) AS subscriber
    ) AS subscribers`;
  const { links = [], documents = [], subscribers = [] } = found ?? {};
  capture.subscribers ??= subscribers;
  const byId = new Map(links.map((link) => [link.id, link]));
  const unlinked = entries.filter(
    ({ record: { distributionId } }) => distributionId != null && !byId.has(distributionId),
  );
  if (!capture.hold) problems.requireKnown(unlinked, 'distributionId', byId);
  const roomOf = new Map(documents.map(({ id, roomId }) => [id, roomId]));
  for (const entry of opened) {
    const { docId, distributionId } = entry.record;
    const link = byId.get(distributionId);
    // The document of a record that waits may come with its link.
    if (docId == null || (link === undefined && capture.hold)) continue;
    problems.requireKnown([entry], 'docId', roomOf);
    if (link !== undefined && roomOf.has(docId) && roomOf.get(docId) !== link.roomId) {
      problems.add(entry, 'docId', "expected a document in the distribution's room");
    }
  }
  return { links: byId, unlinked: capture.hold ? unlinked : [] };
}

function isOpened(entry: HeldEntry): entry is EntryOf<'event' | 'view'> {
  return entry.record.record !== 'message';
}
