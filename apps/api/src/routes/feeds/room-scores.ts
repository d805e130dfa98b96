import { jsonOf } from '@deal-signals/serializers/object-text';
import { roomScore, serializeRoomScore } from '@deal-signals/serializers/room-metrics/room-score';
import { findRoomCounts } from '@deal-signals/serializers/room-metrics/scores';
import { findRooms } from '@deal-signals/serializers/rooms/room';
import { roomScoreExample } from '@deal-signals/serializers/examples/room-metrics';
import { timeCursors } from '../../http/pagination.ts';
import { inRoomOrder } from './decision-rooms.ts';
import { feed } from './feed.ts';

/** `GET /room-scores`: the current scores of the workspace's rooms. */
export const listRoomScores = feed({
  ...inRoomOrder,
  operationId: 'listRoomScores',
  tag: 'Decision Rooms',
  summary: 'List the engagement scores of Decision Rooms',
  description:
    'Returns the score of each room with its terms and totals, computed at the time of the request, in the order of the feed of rooms. A score falls while nothing happens, so read the list from its beginning whenever you need current scores; a stored cursor returns only the rooms with new activity.',
  cursors: timeCursors('room-scores'),
  item: roomScore,
  example: roomScoreExample,
  async find(db, companyId, page) {
    const rooms = await findRooms(db, companyId, page);
    const now = new Date();
    const ids = rooms.slice(0, page.limit - 1).map(({ id }) => id);
    const counts = await findRoomCounts(db, companyId, ids, now);
    return rooms.map((room) => ({ ...room, now, counts: counts.get(room.id) }));
  },
  text: ({ now, counts, ...room }) => jsonOf(serializeRoomScore(room, counts!, now)),
});
