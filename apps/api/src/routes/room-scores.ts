import { roomScore, serializeRoomScore } from '@deal-signals/serializers/room-metrics/room-score';
import { findRoomCounts } from '@deal-signals/serializers/room-metrics/scores';
import { findRooms } from '@deal-signals/serializers/rooms/room';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { parseQuery } from '../http/input.ts';
import { pageOf, timeCursors, timePageParameters, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { roomScoreExample } from '../openapi/examples/room-metrics.ts';
import { listRoomsQuery } from './decision-rooms.ts';

const cursors = timeCursors('room-scores');

/** The query parameters of `GET /room-scores`: those of the feed of rooms. */
const listRoomScoresQuery = listRoomsQuery.extend(timePageParameters(cursors));

/** `GET /room-scores`: the scores of the workspace's rooms as of now. */
export const listRoomScores = dataOperation({
  operationId: 'listRoomScores',
  tag: 'Decision Rooms',
  summary: 'List the engagement scores of Decision Rooms',
  description:
    'Returns the score of each room with its terms and totals, computed at the request, in the order of the feed of rooms. A score falls while nothing happens, so read the list from its beginning whenever you need scores as of now; a stored cursor returns only the rooms with new activity.',
  query: listRoomScoresQuery,
  response: pageOf(roomScore),
  example: {
    data: [roomScoreExample],
    nextCursor: cursors.write({ at: new Date(roomScoreExample.lastActivityAt), id: roomScoreExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = parseQuery(listRoomScoresQuery, query);
    const since = filters.updated_since;
    const now = new Date();
    const rooms = await findRooms(db, companyId, {
      after: cursors.after(cursor, since),
      status: filters.status,
      limit: limit + 1,
    });
    const ids = rooms.slice(0, limit).map(({ id }) => id);
    const counts = await findRoomCounts(db, companyId, ids, now);
    return toPage(
      rooms,
      limit,
      await cursorIfEmpty(db, rooms, cursors, { cursor, since }),
      (room) => serializeRoomScore(room, counts.get(room.id)!, now),
      ({ lastActivityAt, id }) => cursors.write({ at: lastActivityAt, id }),
    );
  },
});
