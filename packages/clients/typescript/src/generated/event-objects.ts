// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.

import type { Feed } from '../feeds/feeds.ts';

/** For each event type, the feed of its object, and the field of `data` that holds it; null if `data` is the object. */
export const EVENT_OBJECTS: Readonly<Record<string, { feed: Feed; field: string | null }>> = {
  'engagement.recorded': { feed: 'engagement/events', field: null },
  'call.summary.created': { feed: 'calls', field: null },
  'decision_room.updated': { feed: 'decision-rooms', field: null },
  'decision_room.esign.updated': { feed: 'esign-documents', field: 'document' },
  'decision_room.created': { feed: 'decision-rooms', field: null },
  'call.recorded': { feed: 'calls', field: null },
  'engagement.view.recorded': { feed: 'engagement/views', field: null },
  'person.erased': { feed: 'erasures', field: null },
  'room.erased': { feed: 'erasures', field: null },
};
