import type { EntryOf } from '../entry.ts';

/** A message of a room to be recorded, as `record_engagement` (prisma/sql/engagement.sql) takes it. */
export interface NewMessage {
  key: string;
  roomId: string;
  side: 'prospect' | 'seller';
  sentAt: Date;
  distributionId: string | null;
  text: string | null;
}

export function messageOf({ record }: EntryOf<'message'>): NewMessage {
  const { key, roomId, side, sentAt } = record;
  return {
    key,
    roomId,
    side,
    sentAt,
    distributionId: record.distributionId ?? null,
    text: record.text ?? null,
  };
}
