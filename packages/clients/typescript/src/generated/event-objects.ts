// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.

import type { Feed } from '../feeds/feeds.ts';

/** The feed of the object that an event of each type brings, and the field of `data` that holds it, unless `data` is the object. */
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
