import { Prisma } from '@deal-signals/db/generated/client';
import { type Call, callKind, findCalls, serializeCall } from '@deal-signals/serializers/call';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import { notFound } from '../errors.ts';
import { oneOf, parseQuery, uuid, uuidInPath } from '../input.ts';
import { pageParameters, type Page, timeCursors, toPage } from '../pagination.ts';
import type { DataRequest, Dependencies } from '../route.ts';

/** The query parameters of `GET /calls`. */
export const listCallsQuery = z.object({
  ...pageParameters,
  updated_since: dateTimeInput.optional(),
  kind: oneOf(callKind.options).optional(),
  // The contract gives a meaning to `true` only. `false` asks for no restriction, so that a client which always sends
  // its default loses no call.
  has_summary: oneOf(['true', 'false']).optional(),
  buyer_space_id: uuid.optional(),
});

const cursors = timeCursors('calls');

/** `GET /calls`: the calls of the workspace, in the order in which they last changed. */
export async function listCalls(
  { companyId, query }: DataRequest,
  { db }: Dependencies,
): Promise<Page<Call>> {
  const { cursor = cursors.start, limit, ...filters } = parseQuery(listCallsQuery, query);
  const after = cursors.read(cursor);
  const conditions = [Prisma.sql`AND (c.updated_at, c.id) > (${after.at}, ${after.id}::uuid)`];
  if (filters.updated_since) conditions.push(Prisma.sql`AND c.updated_at >= ${filters.updated_since}`);
  if (filters.kind) conditions.push(Prisma.sql`AND c.kind = ${filters.kind}::call_kind`);
  if (filters.has_summary === 'true') {
    conditions.push(Prisma.sql`AND c.status = 'completed' AND c.summary IS NOT NULL`);
  }
  if (filters.buyer_space_id) conditions.push(Prisma.sql`AND c.room_id = ${filters.buyer_space_id}::uuid`);
  const rows = await findCalls(
    db,
    companyId,
    Prisma.sql`${Prisma.join(conditions, ' ')} ORDER BY c.updated_at, c.id LIMIT ${limit + 1}`,
  );
  return toPage(rows, limit, cursor, serializeCall, ({ updatedAt, id }) =>
    cursors.write({ at: updatedAt, id }),
  );
}

/** `GET /calls/{id}`: one call. */
export async function getCall(
  { companyId, params }: DataRequest,
  { db }: Dependencies,
): Promise<{ data: Call }> {
  const id = uuidInPath(params['id']);
  const [call] = await findCalls(db, companyId, Prisma.sql`AND c.id = ${id}::uuid`);
  if (call === undefined) throw notFound();
  return { data: serializeCall(call) };
}
