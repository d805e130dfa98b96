import type { components } from '../generated/api.ts';

type Schemas = components['schemas'];

/** The record type of each feed, by the path of the feed. */
export interface FeedRecords {
  calls: Schemas['Call'];
  'decision-rooms': Schemas['Room'];
  'engagement/events': Schemas['EngagementEvent'];
  'engagement/views': Schemas['EngagementView'];
  distributions: Schemas['Distribution'];
  people: Schemas['Person'];
  documents: Schemas['Document'];
  'esign-documents': Schemas['EsignDocument'];
  'webhook-deliveries': Schemas['WebhookDelivery'];
  /** The finished erasures. Stores erase the same data in their rows. */
  erasures: Schemas['Erasure'];
  /** The scores at the time of the request. They fall while nothing happens, so a copy is refreshed from the beginning. */
  'room-scores': Schemas['RoomScore'];
}

/** The path of a feed, below the base URL. */
export type Feed = keyof FeedRecords;

/**
 * The feeds that together form a copy of the workspace's data.
 *
 * Events and views are returned only once, so the erasures list what was erased in them later. All other records are returned
 * again whenever they change.
 */
export const DATA_FEEDS = [
  'calls',
  'decision-rooms',
  'engagement/events',
  'engagement/views',
  'distributions',
  'people',
  'documents',
  'esign-documents',
  'erasures',
] as const satisfies readonly Feed[];

/**
 * Every feed. The delivery log lists what was sent: a delivery appears once, when it is queued, and is not returned again when
 * its status changes.
 */
export const FEEDS = [...DATA_FEEDS, 'webhook-deliveries'] as const satisfies readonly Feed[];

/** A feed that can be followed from a stored cursor. */
export type FollowedFeed = (typeof FEEDS)[number];

/** A page of a feed. */
export interface FeedPage<F extends Feed = Feed> {
  data: FeedRecords[F][];
  /** The position after this page. It never expires. */
  nextCursor: string;
  /** Whether more pages can be read now. A page with `since` can be empty although there are more. */
  hasMore: boolean;
}

/** Returns the name of a feed's table or file: its path in snake case, such as `engagement_events`. */
export function tableOf(feed: Feed): string {
  return feed.replaceAll(/[/-]/g, '_');
}
