import { room, roomStatus } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { listRooms } from '../../routes/decision-rooms.ts';
import { readRecords } from '../records.ts';
import { pageArguments, pageResult, timeArgument, tool } from '../tool.ts';

/** `find_rooms`: the rooms of the workspace. */
export const findRooms = tool({
  name: 'find_rooms',
  title: 'Find Decision Rooms',
  description:
    'Finds Decision Rooms: the buyer-facing rooms of the workspace, one for each deal. Returns name, status, owner, deal value, close date and last activity, in the order of the last activity, oldest first. Call it to turn the name of a company or deal into a room id. For the rooms that were active lately, pass active_since. A search by name looks at 2,000 rooms at a time: while hasMore is true, it can be continued with nextCursor, even if data is empty.',
  scope: 'read:rooms',
  input: z.strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Only rooms whose name contains this text, in upper or lower case' }),
    status: z.enum(roomStatus.options).optional().meta({ description: 'Only rooms with this status' }),
    active_since: timeArgument.optional().meta({
      description:
        'Only rooms of which something was recorded at or after this time: ISO 8601. After an import these are all; for when prospects did something, call pipeline_overview',
    }),
    ...pageArguments(20, 100),
  }),
  output: pageResult(room),
  async run({ name, status, active_since, limit, cursor, max_characters }, caller, context) {
    const wanted = name === undefined ? undefined : comparable(name);
    const bounds = {
      limit,
      characters: max_characters,
      recordCharacters: 4_000,
      ...(wanted !== undefined && {
        matches: (found: Record<string, unknown>) => comparable(String(found['name'])).includes(wanted),
      }),
    };
    return {
      ...(await readRecords(
        listRooms,
        { status, updated_since: active_since, cursor },
        bounds,
        caller,
        context,
      )),
    };
  },
});

/** The form in which names are compared: without case, and with one form for characters that look the same. */
function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
