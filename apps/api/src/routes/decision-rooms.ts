import { Prisma } from '@deal-signals/db/generated/client';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { findRooms, type Room, roomStatus, serializeRoom } from '@deal-signals/serializers/room';
import { z } from 'zod';
import { notFound } from '../errors.ts';
import { oneOf, parseQuery, uuidInPath } from '../input.ts';
import { pageParameters, type Page, timeCursors, toPage } from '../pagination.ts';
import type { DataRequest, Dependencies } from '../route.ts';

/** The query parameters of `GET /decision-rooms`. */
export const listRoomsQuery = z.object({
  ...pageParameters,
  updated_since: dateTimeInput.optional(),
  status: oneOf(roomStatus.options).optional(),
});

const cursors = timeCursors('decision-rooms');

/** `GET /decision-rooms`: the rooms of the workspace, in the order of their last activity. */
export async function listRooms(
  { companyId, query }: DataRequest,
  { db }: Dependencies,
): Promise<Page<Room>> {
  const { cursor = cursors.start, limit, ...filters } = parseQuery(listRoomsQuery, query);
  const after = cursors.read(cursor);
  const conditions = [Prisma.sql`AND (r.last_activity_at, r.id) > (${after.at}, ${after.id}::uuid)`];
  if (filters.updated_since) conditions.push(Prisma.sql`AND r.last_activity_at >= ${filters.updated_since}`);
  if (filters.status) conditions.push(Prisma.sql`AND r.status = ${filters.status}::room_status`);
  const rows = await findRooms(
    db,
    companyId,
    Prisma.sql`${Prisma.join(conditions, ' ')} ORDER BY r.last_activity_at, r.id LIMIT ${limit + 1}`,
  );
  return toPage(rows, limit, cursor, serializeRoom, ({ lastActivityAt, id }) =>
    cursors.write({ at: lastActivityAt, id }),
  );
}

/** `GET /decision-rooms/{id}`: one room. */
export async function getRoom(
  { companyId, params }: DataRequest,
  { db }: Dependencies,
): Promise<{ data: Room }> {
  const id = uuidInPath(params['id']);
  const [room] = await findRooms(db, companyId, Prisma.sql`AND r.id = ${id}::uuid`);
  if (room === undefined) throw notFound();
  return { data: serializeRoom(room) };
}
