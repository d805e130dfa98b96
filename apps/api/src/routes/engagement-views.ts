import { Prisma } from '@deal-signals/db/generated/client';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  type EngagementView,
  findEngagementViews,
  serializeEngagementView,
} from '@deal-signals/serializers/engagement-view';
import { z } from 'zod';
import { parseQuery, uuid } from '../input.ts';
import { integerCursors, pageParameters, type Page, toPage } from '../pagination.ts';
import type { DataRequest, Dependencies } from '../route.ts';

/** The query parameters of `GET /engagement/views`. */
export const listEngagementViewsQuery = z.object({
  ...pageParameters,
  since: dateTimeInput.optional(),
  buyer_space_id: uuid.optional(),
  demo_id: uuid.optional(),
  distribution_id: uuid.optional(),
});

/** `GET /engagement/views`: finished viewing sessions, in the order of recording. */
export async function listEngagementViews(
  { companyId, query }: DataRequest,
  { db }: Dependencies,
): Promise<Page<EngagementView>> {
  const { cursor = integerCursors.start, limit, ...filters } = parseQuery(listEngagementViewsQuery, query);
  const conditions = [Prisma.sql`AND v.id > ${integerCursors.read(cursor)}`];
  if (filters.since) conditions.push(Prisma.sql`AND v.started_at >= ${filters.since}`);
  if (filters.buyer_space_id) {
    conditions.push(Prisma.sql`AND v.buyer_space_id = ${filters.buyer_space_id}::uuid`);
  }
  if (filters.demo_id) conditions.push(Prisma.sql`AND v.demo_id = ${filters.demo_id}::uuid`);
  if (filters.distribution_id) {
    conditions.push(Prisma.sql`AND v.distribution_id = ${filters.distribution_id}::uuid`);
  }
  const rows = await findEngagementViews(
    db,
    companyId,
    Prisma.sql`${Prisma.join(conditions, ' ')} ORDER BY v.id LIMIT ${limit + 1}`,
  );
  return toPage(rows, limit, cursor, serializeEngagementView, ({ id }) => integerCursors.write(id));
}
