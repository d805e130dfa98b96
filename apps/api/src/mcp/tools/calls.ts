import { callKind } from '@deal-signals/serializers/calls/call';
import { z } from 'zod';
import { getCall as getCallRoute, listCalls as listCallsRoute } from '../../routes/feeds/calls.ts';
import { readObject, readRecords } from '../records.ts';
import { shorten } from '../shorten.ts';
import {
  idArgument,
  objectResult,
  pageArguments,
  pageResult,
  sizeArgument,
  timeArgument,
  tool,
} from '../tool.ts';

/** `list_calls`: the calls of the workspace, with their summaries. */
export const listCalls = tool({
  name: 'list_calls',
  title: 'List calls with their summaries',
  description:
    'Lists recorded calls (demos, qualifying calls, meetings) with participants, talk times and the summary: takeaways, decisions, next steps, pain points, budget, timeline. Call it to learn what was said to a prospect. Calls come in the order in which they last changed, oldest first; for the latest, pass updated_since.',
  scope: 'read:calls',
  input: z.strictObject({
    room_id: idArgument.optional().meta({ description: 'Only calls of this Decision Room' }),
    kind: z.enum(callKind.options).optional().meta({ description: 'Only calls of this kind' }),
    updated_since: timeArgument
      .optional()
      .meta({ description: 'Only calls that changed at or after this time: ISO 8601' }),
    only_with_summary: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether to leave out calls that have no summary' }),
    ...pageArguments(10, 50),
  }),
  output: pageResult,
  async run(
    { room_id, kind, updated_since, only_with_summary, limit, cursor, max_characters },
    caller,
    context,
  ) {
    const query = {
      buyer_space_id: room_id,
      kind,
      updated_since,
      has_summary: only_with_summary ? 'true' : undefined,
      cursor,
    };
    // One long summary leaves room for another call.
    const bounds = { limit, characters: max_characters, recordCharacters: max_characters / 2 };
    return { ...(await readRecords(listCallsRoute, query, bounds, caller, context)) };
  },
});

/** `get_call`: one call with its summary. */
export const getCall = tool({
  name: 'get_call',
  title: 'Get a call with its summary',
  description:
    'Returns one recorded call with participants, talk times and the whole summary. Call it with the id of a call from list_calls, or with demoId of an event or view, which is the id of the recorded call.',
  scope: 'read:calls',
  input: z.strictObject({ call_id: idArgument.meta({ description: 'The id of a call' }), ...sizeArgument }),
  output: objectResult,
  async run({ call_id, max_characters }, caller, context) {
    const found = await readObject(getCallRoute, call_id, caller, context);
    return { data: shorten(JSON.stringify(found), max_characters) };
  },
});
