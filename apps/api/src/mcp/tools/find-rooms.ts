import { isStorable } from '@deal-signals/db/storable-text';
import { findNamedRooms } from '@deal-signals/serializers/named-objects';
import { findRooms as findRoomsOf, roomStatus } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { invalidField } from '../../http/errors.ts';
import { inRoomOrder, listRooms, shownRoom } from '../../routes/feeds/decision-rooms.ts';
import { feed } from '../../routes/feeds/feed.ts';
import { readRecords } from '../records.ts';
import { pageArguments, pageResult, timeArgument, tool } from '../tool.ts';

/** Maximum number of rooms that a name may match. */
const MAX_NAMED = 1_000;

/** `find_rooms`: the rooms of the workspace. */
export const findRooms = tool({
  name: 'find_rooms',
  title: 'Find Decision Rooms',
  description:
    'Finds Decision Rooms: the buyer-facing rooms of the workspace, one for each deal. Returns name, status, owner, deal value, close date and last activity, in the order of the last activity, oldest first. Call it to turn the name of a company or deal into a room id. For the rooms that were active lately, pass active_since.',
  scope: 'read:rooms',
  input: z.strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine(isStorable, 'must not contain NUL or unpaired surrogates')
      .optional()
      .meta({
        description:
          'Only rooms whose name contains these words, in any order, ignoring case and accents. Three or more letters match anywhere in a word, fewer match the beginning of a word',
      }),
    status: z.enum(roomStatus.options).optional().meta({ description: 'Only rooms with this status' }),
    active_since: timeArgument.optional().meta({
      description:
        'Only rooms with a record at or after this time: ISO 8601. After an import, that is all rooms; to find when prospects were active, call pipeline_overview',
    }),
    ...pageArguments(20, 100),
  }),
  output: pageResult,
  async run({ name, status, active_since, limit, cursor, max_characters }, caller, context) {
    const bounds = { limit, characters: max_characters, recordCharacters: 4_000 };
    const query = { name, status, updated_since: active_since, cursor };
    const list = name === undefined ? listRooms : listNamedRooms;
    return { ...(await readRecords(list, query, bounds, caller, context)) };
  },
});

/** Like `listRooms`, for the rooms that a search by name finds. */
const listNamedRooms = feed({
  ...shownRoom,
  ...inRoomOrder,
  operationId: 'listNamedRooms',
  summary: 'List Decision Rooms by name',
  description: 'Returns the rooms of the workspace with a name, in the order of their last activity.',
  filters: { ...inRoomOrder.filters, name: z.string() },
  async find(db, companyId, { name, ...filter }) {
    const ids = await findNamedRooms(db, companyId, name, MAX_NAMED + 1);
    if (ids.length > MAX_NAMED) {
      throw invalidField('name', `is part of the names of more than ${MAX_NAMED} rooms: give more of it`);
    }
    return findRoomsOf(db, companyId, { ...filter, ids });
  },
});
