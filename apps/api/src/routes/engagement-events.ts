import { Prisma } from '@deal-signals/db/generated/client';
import { isStorable } from '@deal-signals/db/storable-text';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  engagementEvent,
  findEngagementEvents,
  serializeEngagementEvent,
} from '@deal-signals/serializers/engagement/event';
import { engagementEventExample } from '../openapi/examples/engagement-event.ts';
import { z } from 'zod';
import { parseQuery, uuid } from '../http/input.ts';
import { integerCursors, integerPageParameters, pageOf, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { EVENTS, isSince } from '@deal-signals/serializers/engagement/since';

const MOST_TYPES = 20;

/** Event types, separated by commas. The enumeration is open: an unknown type matches nothing. */
const types = z
  .string()
  .refine(isStorable, 'must not contain NUL')
  .transform((list) => list.split(',').map((type) => type.trim()))
  .refine(
    (list) => list.length <= MOST_TYPES,
    `must be at most ${MOST_TYPES} event types, separated by commas`,
  )
  .transform((list) => [...new Set(list)])
  .optional()
  .meta({
    description: `Only events of these types: at most ${MOST_TYPES}, separated by commas. An unknown type matches nothing`,
    example: 'trailer_view,doc_download',
    pattern: `^[^,]*(,[^,]*){0,${MOST_TYPES - 1}}$`,
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
  async handler({ companyId, query }, { db }) {
    const { cursor = integerCursors.start, limit, ...filters } = parseQuery(listEngagementEventsQuery, query);
    const after = integerCursors.read(cursor);
    const conditions = [Prisma.sql`AND e.id > ${after}`];
    if (filters.since) conditions.push(isSince(EVENTS, companyId, after, filters.since));
    if (filters.buyer_space_id) {
      conditions.push(Prisma.sql`AND e.buyer_space_id = ${filters.buyer_space_id}::uuid`);
    }
    if (filters.demo_id) conditions.push(Prisma.sql`AND e.demo_id = ${filters.demo_id}::uuid`);
    // A room's or a recording's events are few enough to look through; all events of a workspace are not.
    const isNarrow = filters.buyer_space_id !== undefined || filters.demo_id !== undefined;
    if (filters.types && isNarrow) conditions.push(Prisma.sql`AND e.type = ANY (${filters.types}::text[])`);
    const order = Prisma.sql`ORDER BY id LIMIT ${limit + 1}`;
    const page = Prisma.sql`${Prisma.join(conditions, ' ')} ${order}`;
    const rows = await findEngagementEvents(
      db,
      companyId,
      filters.types && !isNarrow ? pageOfTypes(companyId, filters.types, page, order) : page,
    );
    return toPage(rows, limit, cursor, serializeEngagementEvent, ({ id }) => integerCursors.write(id));
  },
});

/**
 * A page of several types: the page of each type is read from its own range of the index, and the ids are merged. A
 * plain `type IN (…)` would walk all events of a workspace that has hardly any of the types.
 */
function pageOfTypes(
  companyId: number,
  typeNames: string[],
  page: Prisma.Sql,
  order: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    AND e.id IN (
      SELECT of_type.id
      FROM unnest(${typeNames}::text[]) AS wanted (type)
      CROSS JOIN LATERAL (
        SELECT e.id FROM engagement_events e
        WHERE e.company_id = ${companyId} AND e.type = wanted.type ${page}
      ) AS of_type
      ${order}
    ) ${order}`;
}
