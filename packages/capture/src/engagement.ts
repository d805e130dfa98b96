import type { EngagementEventRow } from '@deal-signals/serializers/engagement/event';
import type { EngagementViewRow } from '@deal-signals/serializers/engagement/view';

// What engagement refers to, and the rows that `record_engagement` (prisma/sql/engagement.sql) writes of it.

/** A share link with its recording, if it has one. */
export interface ShareLink {
  id: string;
  roomId: string;
  recipientName: string | null;
  recipientEmail: string | null;
  forwardedFromDistributionId: string | null;
  call: { id: string; title: string | null; durationSeconds: number | null } | null;
}

/** What records of engagement refer to, as far as it exists, and which of these records are stored already. */
export interface EngagementContext {
  /** The rooms that messages name. */
  rooms: ReadonlySet<string>;
  links: ReadonlyMap<string, ShareLink>;
  /** The rooms of documents, by document. */
  documents: ReadonlyMap<string, string>;
  /** The identities of the records that are stored. */
  recorded: ReadonlySet<string>;
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
  text: string;
}

/** A view to be recorded: its columns, and the text of its object. */
export interface NewView extends Omit<EngagementViewRow, 'id'> {
  id: string;
  key: string;
  text: string;
}
