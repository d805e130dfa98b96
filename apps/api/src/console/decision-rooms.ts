import { type Room, findRooms, room, roomText } from '@deal-signals/serializers/rooms/room';
import { findEngagementScores } from '@deal-signals/serializers/room-metrics/scores';
import { z } from 'zod';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { parseQuery } from '../http/input.ts';
import { END, orderedTimePageParameters, pageOf, timeCursors, UUIDS, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { roomExample } from '../openapi/examples/room.ts';
import { listRoomsQuery, roomCursors } from '../routes/decision-rooms.ts';

const newestFirst = timeCursors('decision-rooms-newest-first', UUIDS, END);

/** The query parameters of `GET /decision-rooms` of the console. */
export const listConsoleRoomsQuery = listRoomsQuery.extend(orderedTimePageParameters(newestFirst));

const consoleRoom = room
  .extend({
    engagementScore: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'The score as of now; the same as in the metrics of the room' }),
  })
  .meta({ id: 'ConsoleRoom' });

/** `GET /decision-rooms` of the console: the rooms of the workspace with their scores, in either order of the feed. */
export const listRooms = dataOperation({
  operationId: 'listRooms',
  tag: 'Decision Rooms',
  summary: 'List Decision Rooms with their scores',
  description:
    'Returns the rooms of the workspace with their engagement scores, in the order of `lastActivityAt` or, with `order=desc`, in the reverse order. Newest first, a room with new activity moves to the beginning: a walk that has begun does not return it again.',
  query: listConsoleRoomsQuery,
  response: pageOf(consoleRoom, 'Rooms in the order that was asked for'),
  example: {
    data: [{ ...roomExample, engagementScore: 85 }],
    nextCursor: newestFirst.write({ at: new Date(roomExample.lastActivityAt), id: roomExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { order, cursor, limit, ...filters } = parseQuery(listConsoleRoomsQuery, query);
    const isNewestFirst = order === 'desc';
    const cursors = isNewestFirst ? newestFirst : roomCursors;
    const since = filters.updated_since;
    const rows = await findRooms(db, companyId, {
      ...(isNewestFirst
        ? { before: newestFirst.after(cursor, undefined), since }
        : { after: roomCursors.after(cursor, since) }),
      isNewestFirst,
      status: filters.status,
      limit: limit + 1,
    });
    const ids = rows.slice(0, limit).map(({ id }) => id);
    const scores = await findEngagementScores(db, companyId, ids, new Date());
    return toPage(
      rows,
      limit,
      await cursorIfEmpty(db, rows, cursors, { cursor, since }),
      (row) => ({ ...(JSON.parse(roomText(row)) as Room), engagementScore: scores.get(row.id)! }),
      ({ lastActivityAt, id }) => cursors.write({ at: lastActivityAt, id }),
    );
  },
});
