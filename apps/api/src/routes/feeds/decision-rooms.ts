import { findRooms, room, roomStatus, roomText } from '@deal-signals/serializers/rooms/room';
import { roomExample } from '@deal-signals/serializers/examples/room';
import { oneOf } from '../../http/input.ts';
import { timeCursors } from '../../http/pagination.ts';
import { feed, readOne } from './feed.ts';

/** The published form of a room. */
export const shownRoom = { tag: 'Decision Rooms', item: room, example: roomExample, text: roomText } as const;

/** The common parameters of all lists of rooms. */
export const inRoomOrder = {
  cursors: timeCursors('decision-rooms'),
  sortKey: 'lastActivityAt',
  updatedSince: 'Only rooms with activity at or after this time',
  filters: {
    status: oneOf(roomStatus.options).optional().meta({ description: 'Only rooms with this status' }),
  },
} as const;

/** `GET /decision-rooms`: the rooms of the workspace, in the order of their last activity. */
export const listRooms = feed({
  ...shownRoom,
  ...inRoomOrder,
  operationId: 'listRooms',
  summary: 'List Decision Rooms',
  description:
    'Returns the rooms of the workspace, in the order of their last activity. A room with new activity is returned again at its new position, so store rooms by `id`.',
  find: findRooms,
});

/** `GET /decision-rooms/{id}`: one room. */
export const getRoom = readOne({
  ...shownRoom,
  operationId: 'getRoom',
  summary: 'Get a Decision Room',
  find: (db, companyId, id) => findRooms(db, companyId, { ids: [id] }),
});
