import type { CaptureTransaction } from '../capture-transaction.ts';
import type { EntryOf } from '../entry.ts';

/**
 * Writes messages of rooms and skips those already recorded.
 *
 * @returns the keys of the new ones.
 */
export async function storeMessages(
  capture: CaptureTransaction,
  entries: EntryOf<'message'>[],
): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const { tx, companyId } = capture;
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
    select: { key: true },
    skipDuplicates: true,
  });
  const keys = new Set(written.map(({ key }) => key));
  for (const { line, record } of entries) {
    if (!keys.has(record.key)) continue;
    const identity = `message ${record.key}`;
    capture.effects.push({ line, identity, roomId: record.roomId });
    capture.changed.push(identity);
  }
  return keys;
}
