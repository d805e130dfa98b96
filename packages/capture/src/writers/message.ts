import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, requireKnown, type EntryOf } from '../entry.ts';
import { knownRooms } from '../known.ts';
import { RecordError } from '../record-error.ts';
import { findShareLinks } from '../share-links.ts';
import { recordEngagement } from './event.ts';

/** Writes the messages of rooms. A prospect's message is also an engagement event. */
export async function writeMessages(
  capture: CaptureTransaction,
  entries: EntryOf<'message'>[],
): Promise<void> {
  const { tx, companyId } = capture;
  const roomIds = referenced(entries, 'roomId');
  requireKnown(entries, 'roomId', await knownRooms(capture, roomIds));
  const links = await findShareLinks(capture, entries);
  const linkOf = (distributionId: string | null | undefined) => links.get(distributionId ?? '') ?? null;
  for (const { record, line } of entries) {
    const link = linkOf(record.distributionId);
    if (link !== null && link.roomId !== record.roomId) {
      throw new RecordError(line, 'distributionId', "expected a distribution of the message's room");
    }
  }

  const written = await tx.message.createManyAndReturn({
    data: entries.map(({ record }) => ({
      companyId,
      key: record.key,
      roomId: record.roomId,
      side: record.side,
      sentAt: record.sentAt,
      distributionId: record.distributionId ?? null,
      text: record.text ?? null,
    })),
    skipDuplicates: true,
  });
  for (const { key, roomId } of written) capture.effects.push({ identity: `message ${key}`, roomId });
  await recordEngagement(
    capture,
    written
      .filter(({ side }) => side === 'prospect')
      .map(({ key, sentAt, roomId, distributionId }) => ({
        source: 'message' as const,
        key,
        type: 'message',
        occurredAt: sentAt,
        metadata: {},
        docId: null,
        link: linkOf(distributionId),
        buyerSpaceId: roomId,
      })),
  );
}
