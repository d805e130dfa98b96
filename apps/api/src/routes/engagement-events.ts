import { Prisma } from '@deal-signals/db/generated/client';
import { isStorable } from '@deal-signals/db/storable-text';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  type EngagementEvent,
  findEngagementEvents,
  serializeEngagementEvent,
} from '@deal-signals/serializers/engagement-event';
import { z } from 'zod';
import { parseQuery, uuid } from '../input.ts';
import { integerCursors, pageParameters, type Page, toPage } from '../pagination.ts';
import type { DataRequest, Dependencies } from '../route.ts';

const MOST_TYPES = 20;

/** Event types, separated by commas. The enumeration is open: a type that nobody knows matches nothing. */
const types = z
  .string()
  .refine(isStorable, 'must not contain NUL')
  .transform((list) => list.split(',').map((type) => type.trim()))
  .refine(
    (list) => list.length <= MOST_TYPES,
    `must be at most ${MOST_TYPES} event types, separated by commas`,
  )
  .transform((list) => [...new Set(list)]);

/** The query parameters of `GET /engagement/events`. */
export const listEngagementEventsQuery = z.object({
  ...pageParameters,
  types: types.optional(),
  since: dateTimeInput.optional(),
  buyer_space_id: uuid.optional(),
  demo_id: uuid.optional(),
});

/** `GET /engagement/events`: what prospects did, in the order of recording. */
export async function listEngagementEvents(
  { companyId, query }: DataRequest,
  { db }: Dependencies,
): Promise<Page<EngagementEvent>> {
  const { cursor = integerCursors.start, limit, ...filters } = parseQuery(listEngagementEventsQuery, query);
  const conditions = [Prisma.sql`AND e.id > ${integerCursors.read(cursor)}`];
  if (filters.since) conditions.push(Prisma.sql`AND e.occurred_at >= ${filters.since}`);
  if (filters.buyer_space_id) {
    conditions.push(Prisma.sql`AND e.buyer_space_id = ${filters.buyer_space_id}::uuid`);
  }
  if (filters.demo_id) conditions.push(Prisma.sql`AND e.demo_id = ${filters.demo_id}::uuid`);
  const order = Prisma.sql`ORDER BY id LIMIT ${limit + 1}`;
  const page = Prisma.sql`${Prisma.join(conditions, ' ')} ${order}`;
  const rows = await findEngagementEvents(
    db,
    companyId,
    filters.types ? pageOfTypes(companyId, filters.types, page, order) : page,
  );
  return toPage(rows, limit, cursor, serializeEngagementEvent, ({ id }) => integerCursors.write(id));
}

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
