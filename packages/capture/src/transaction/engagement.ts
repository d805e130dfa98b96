import type { EngagementEventRow } from '@deal-signals/serializers/engagement/event';
import type { EngagementViewRow } from '@deal-signals/serializers/engagement/view';
import type { OwnerColumns } from '@deal-signals/serializers/rooms/room';
import type { RecordOf } from '../records/record.ts';

// What engagement refers to, and the rows that `record_engagement` (prisma/sql/engagement.sql) writes of it.

/** What engagement shows of its room. */
export interface EngagedRoom extends OwnerColumns {
  id: string;
  name: string;
}

/** A share link with its room, and its recording if it has one. */
export interface ShareLink {
  id: string;
  /** Who the recipient is, and their id in the room. */
  identity: string;
  personId: string;
  room: EngagedRoom;
  recipientName: string | null;
  recipientEmail: string | null;
  forwardedFromDistributionId: string | null;
  call: { id: string; title: string | null; durationSeconds: number | null } | null;
}

/** What a session played of its recording. */
export interface Played {
  watchSeconds: number;
  uniqueSeconds: number;
  completionPercent: number | null;
}

/** What records of engagement refer to, as far as it exists, and which of these records are stored already. */
export interface EngagementContext {
  /** The rooms that messages name. */
  rooms: ReadonlyMap<string, EngagedRoom>;
  links: ReadonlyMap<string, ShareLink>;
  /** The rooms of documents, by document. */
  documents: ReadonlyMap<string, string>;
  /** The identities of the records that are stored. */
  recorded: ReadonlySet<string>;
  /** What each session of a recording played, by its record: another one can have the same key. */
  played: ReadonlyMap<RecordOf<'view'>, Played>;
}

/** A message of a room to be recorded. */
export interface NewMessage {
  key: string;
  roomId: string;
  side: 'prospect' | 'seller';
  sentAt: Date;
  distributionId: string | null;
  text: string | null;
}

/** An engagement event to be recorded: its columns, and the text of its object. */
export interface NewEngagementEvent extends Omit<EngagementEventRow, 'id'> {
  id: string;
  source: 'event' | 'message';
  key: string;
  /** Who did it; null for a message that did not come through a share link. */
  identity: string | null;
  text: string;
}

/** A view to be recorded: its columns, and the text of its object. */
export interface NewView extends Omit<EngagementViewRow, 'id'> {
  id: string;
  key: string;
  identity: string;
  text: string;
}

/** The columns that engagement copies of its room. */
export function columnsOf({ id, name, ownerId, ownerName, ownerEmail }: EngagedRoom) {
  return { buyerSpaceId: id, buyerSpaceName: name, ownerId, ownerName, ownerEmail };
}
