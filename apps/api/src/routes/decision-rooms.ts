import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { findRooms, room, roomStatus, roomText } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { notFound } from '../http/errors.ts';
import { oneOf, parseQuery, uuidInPath, uuidPath } from '../http/input.ts';
import { jsonObject, jsonPage } from '../http/responses/json-text.ts';
import { pageOf, timeCursors, timePageParameters } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { roomExample } from '../openapi/examples/room.ts';

/** The cursors of the feed of rooms. */
export const roomCursors = timeCursors('decision-rooms');

/** The query parameters of `GET /decision-rooms`. */
export const listRoomsQuery = z.object({
  ...timePageParameters(roomCursors),
  updated_since: dateTimeInput
    .optional()
    .meta({ description: 'Only rooms with activity at or after this time' }),
  status: oneOf(roomStatus.options).optional().meta({ description: 'Only rooms with this status' }),
});

/** `GET /decision-rooms`: the rooms of the workspace, in the order of their last activity. */
export const listRooms = dataOperation({
  operationId: 'listRooms',
  tag: 'Decision Rooms',
  summary: 'List Decision Rooms',
  description:
    'Returns the rooms of the workspace, in the order of their last activity. A room with new activity is returned again at its new position, so store rooms by `id`.',
  query: listRoomsQuery,
  response: pageOf(room),
  example: {
    data: [roomExample],
    nextCursor: roomCursors.write({ at: new Date(roomExample.lastActivityAt), id: roomExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = parseQuery(listRoomsQuery, query);
    const rows = await findRooms(db, companyId, {
      after: roomCursors.after(cursor, filters.updated_since),
      status: filters.status,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, roomCursors, { cursor, since: filters.updated_since });
    return jsonPage(rows, limit, ifEmpty, roomText, ({ lastActivityAt, id }) =>
      roomCursors.write({ at: lastActivityAt, id }),
    );
  },
});

/** `GET /decision-rooms/{id}`: one room. */
export const getRoom = dataOperation({
  operationId: 'getRoom',
  tag: 'Decision Rooms',
  summary: 'Get a Decision Room',
  params: uuidPath,
  response: z.object({ data: room }),
  example: { data: roomExample },
  async handler({ companyId, params }, { db }) {
    const id = uuidInPath(params['id']);
    const [row] = await findRooms(db, companyId, { ids: [id] });
    if (row === undefined) throw notFound();
    return jsonObject(roomText(row));
  },
});
