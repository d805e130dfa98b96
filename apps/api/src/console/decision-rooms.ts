import { jsonOf } from '@deal-signals/serializers/object-text';
import { findEngagementScores } from '@deal-signals/serializers/room-metrics/scores';
import { type Room, findRooms, room, roomText } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { roomExample } from '@deal-signals/serializers/examples/room';
import { END, timeCursors, UUIDS } from '../http/pagination.ts';
import { inRoomOrder } from '../routes/feeds/decision-rooms.ts';
import { feed } from '../routes/feeds/feed.ts';

const consoleRoom = room
  .extend({
    engagementScore: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'The current score; the same as in the metrics of the room' }),
  })
  .meta({ id: 'ConsoleRoom' });

/** `GET /decision-rooms` of the console: the rooms of the workspace with their scores, in either order of the feed. */
export const listRooms = feed({
  ...inRoomOrder,
  operationId: 'listRooms',
  tag: 'Decision Rooms',
  summary: 'List Decision Rooms with their scores',
  description:
    'Returns the rooms of the workspace with their engagement scores, in the order of `lastActivityAt` or, with `order=desc`, in the reverse order. With `order=desc`, a room with new activity moves to the beginning, so pages that follow an earlier cursor do not return it again.',
  newestFirst: timeCursors('decision-rooms-newest-first', UUIDS, END),
  order: 'Rooms in the requested order',
  item: consoleRoom,
  example: { ...roomExample, engagementScore: 85 },
  async find(db, companyId, page) {
    const rooms = await findRooms(db, companyId, page);
    const ids = rooms.slice(0, page.limit - 1).map(({ id }) => id);
    const scores = await findEngagementScores(db, companyId, ids, new Date());
    return rooms.map((row) => ({ ...row, engagementScore: scores.get(row.id)! }));
  },
  text: ({ engagementScore, ...row }) => jsonOf({ ...(JSON.parse(roomText(row)) as Room), engagementScore }),
});
