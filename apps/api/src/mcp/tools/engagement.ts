import { z } from 'zod';
import { listEngagementEvents } from '../../routes/feeds/engagement-events.ts';
import { listEngagementViews } from '../../routes/feeds/engagement-views.ts';
import { readRecords } from '../records.ts';
import { idArgument, pageArguments, pageResult, timeArgument, tool } from '../tool.ts';

const MAX_TYPES = 20;
/** The event types of the contract. There may be others, so an unknown type is not an error. */
const COMMON_TYPES =
  'room_visit, trailer_view, trailer_complete, doc_open, doc_download, map_checkoff, comment, message and forward';

/** `list_events`: what prospects did. */
export const listEvents = tool({
  name: 'list_events',
  title: 'List what prospects did',
  description: `Lists what prospects did, in a room or in the whole workspace: who, what and when. Types are, among others, ${COMMON_TYPES}. Events come in the order in which they were recorded, oldest first; for the latest, pass since.`,
  scope: 'read:engagement',
  input: z.strictObject({
    room_id: idArgument.optional().meta({ description: 'Only events in this Decision Room' }),
    recording_id: idArgument
      .optional()
      .meta({ description: 'Only events of this recording: the id of a call, or demoId of a record' }),
    types: z
      .array(
        z
          .string()
          .max(200)
          // Commas separate types, and PostgreSQL cannot store NUL.
          .regex(/^[^,\p{Cc}]+$/u, 'must be an event type, such as doc_open'),
      )
      .min(1)
      .max(MAX_TYPES)
      .optional()
      .meta({ description: 'Only events of these types' }),
    since: timeArgument
      .optional()
      .meta({ description: 'Only events that occurred at or after this time: ISO 8601' }),
    ...pageArguments(50, 200),
  }),
  output: pageResult,
  async run({ room_id, recording_id, types, since, limit, cursor, max_characters }, caller, context) {
    const query = { buyer_space_id: room_id, demo_id: recording_id, types: types?.join(','), since, cursor };
    const bounds = { limit, characters: max_characters, recordCharacters: 4_000 };
    const records = await readRecords(listEngagementEvents, query, bounds, caller, context);
    const isEmpty = records.data.length === 0 && !records.hasMore && !cursor;
    return {
      ...records,
      // A misspelled type matches nothing.
      ...(types !== undefined &&
        isEmpty && { hint: `no event matches; the usual types are ${COMMON_TYPES}` }),
    };
  },
});

/** `list_views`: who watched or read what. */
export const listViews = tool({
  name: 'list_views',
  title: 'List who watched what',
  description:
    'Lists finished viewing sessions of recordings and documents: who watched or read what, when, for how long, which parts, and how much of it. Views come in the order in which they were recorded, oldest first; for the latest, pass since. For totals of each person, get_room is shorter.',
  scope: 'read:engagement',
  input: z.strictObject({
    room_id: idArgument.optional().meta({ description: 'Only views in this Decision Room' }),
    recording_id: idArgument
      .optional()
      .meta({ description: 'Only views of this recording: the id of a call, or demoId of a record' }),
    share_link_id: idArgument
      .optional()
      .meta({ description: 'Only views through this share link: distributionId of a record' }),
    since: timeArgument
      .optional()
      .meta({ description: 'Only views that began at or after this time: ISO 8601' }),
    ...pageArguments(50, 200),
  }),
  output: pageResult,
  async run({ room_id, recording_id, share_link_id, since, limit, cursor, max_characters }, caller, context) {
    const query = {
      buyer_space_id: room_id,
      demo_id: recording_id,
      distribution_id: share_link_id,
      since,
      cursor,
    };
    // A view has up to 10,000 played ranges. The first ones are sufficient.
    const bounds = { limit, characters: max_characters, recordCharacters: 2_000 };
    return { ...(await readRecords(listEngagementViews, query, bounds, caller, context)) };
  },
});
