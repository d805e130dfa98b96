import type { Queryable } from '@deal-signals/db/queryable';
import { isStorable } from '@deal-signals/db/storable-text';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  type EngagementEvent,
  engagementEvent,
  findEngagementEvents,
  findNewestEngagementEvents,
} from '@deal-signals/serializers/engagement/event';
import { z } from 'zod';
import { engagementEventExample } from '@deal-signals/serializers/examples/engagement-event';
import { cursorIfEmpty } from '../../http/empty-page.ts';
import { uuid } from '../../http/input.ts';
import { type JsonPage, textPage } from '../../http/responses/json-text.ts';
import { descendingCursors, integerCursors, integerPageParameters, pageOf } from '../../http/pagination.ts';
import { dataOperation } from '../../http/route.ts';

/** Maximum number of event types in a request. */
export const MAX_TYPES = 20;

/** Event types, separated by commas. The enumeration is open: an unknown type matches nothing. */
const types = z
  .string()
  .refine(isStorable, 'must not contain NUL or unpaired surrogates')
  .transform((list) => list.split(',').map((type) => type.trim()))
  .refine((list) => list.length <= MAX_TYPES, `must be at most ${MAX_TYPES} event types, separated by commas`)
  .transform((list) => [...new Set(list)])
  .optional()
  .meta({
    description: `Only events of these types: at most ${MAX_TYPES}, separated by commas. An unknown type matches nothing`,
    example: 'trailer_view,doc_download',
    pattern: `^[^,\\x00]*(,[^,\\x00]*){0,${MAX_TYPES - 1}}$`,
  });

/** The query parameters of `GET /engagement/events`. */
export const listEngagementEventsQuery = z.object({
  ...integerPageParameters,
  types,
  since: dateTimeInput.optional().meta({ description: 'Only events that occurred at or after this time' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only events in this Decision Room' }),
  demo_id: uuid.optional().meta({ description: 'Only events of this recording' }),
});

/** `GET /engagement/events`: what prospects did, in the order it was recorded. */
export const listEngagementEvents = dataOperation({
  operationId: 'listEngagementEvents',
  tag: 'Engagement',
  summary: 'List engagement events',
  description: 'Returns what prospects did, in the order it was recorded.',
  query: listEngagementEventsQuery,
  response: pageOf(engagementEvent),
  example: { data: [engagementEventExample], nextCursor: engagementEventExample.id, hasMore: true },
  handler: ({ companyId, query }, { db }) => findEventPage(db, companyId, query),
});

/** Returns a page of engagement events, in either order. */
export async function findEventPage(
  db: Queryable,
  companyId: number,
  {
    order,
    cursor,
    limit,
    since,
    ...filters
  }: z.output<typeof listEngagementEventsQuery> & {
    order?: 'asc' | 'desc';
  },
): Promise<JsonPage<EngagementEvent>> {
  const isNewestFirst = order === 'desc';
  const cursors = isNewestFirst ? descendingCursors : integerCursors;
  const position = cursors.read(cursor ?? cursors.start);
  const filter = {
    types: filters.types,
    roomId: filters.buyer_space_id,
    recordingId: filters.demo_id,
    limit: limit + 1,
  };
  const found = isNewestFirst
    ? await findNewestEngagementEvents(db, companyId, { ...filter, before: position })
    : await findEngagementEvents(db, companyId, { ...filter, after: position, since });
  const ifEmpty = await cursorIfEmpty(db, found.rows, cursors, { cursor, since });
  return textPage(found, limit, ifEmpty, cursors);
}
