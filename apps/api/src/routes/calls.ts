import { call, callKind, callText, findCalls } from '@deal-signals/serializers/calls/call';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { notFound } from '../http/errors.ts';
import { oneOf, parseQuery, uuid, uuidInPath, uuidPath } from '../http/input.ts';
import { jsonObject, jsonPage } from '../http/responses/json-text.ts';
import { pageOf, timeCursors, timePageParameters } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { callExample } from '../openapi/examples/call.ts';

/** The cursors of the feed of calls. */
export const callCursors = timeCursors('calls');

/** The query parameters of `GET /calls`. */
export const listCallsQuery = z.object({
  ...timePageParameters(callCursors),
  updated_since: dateTimeInput
    .optional()
    .meta({ description: 'Only calls that changed at or after this time' }),
  kind: oneOf(callKind.options).optional().meta({ description: 'Only calls of this kind' }),
  // The contract only defines `true`. `false` does not filter, so a client that sends it as a default misses no call.
  has_summary: oneOf(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only calls that have a summary; `false`: no filter' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only calls that belong to this Decision Room' }),
});

/** `GET /calls`: the calls of the workspace, in the order they last changed. */
export const listCalls = dataOperation({
  operationId: 'listCalls',
  tag: 'Calls',
  summary: 'List calls',
  description:
    'Returns the calls of the workspace, in the order they last changed. A call that changes, for example because its summary is regenerated, is returned again at its new position, so store calls by `id`.',
  query: listCallsQuery,
  response: pageOf(call),
  example: {
    data: [callExample],
    nextCursor: callCursors.write({ at: new Date(callExample.updatedAt), id: callExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = parseQuery(listCallsQuery, query);
    const rows = await findCalls(db, companyId, {
      after: callCursors.after(cursor, filters.updated_since),
      kind: filters.kind,
      hasSummary: filters.has_summary === 'true',
      roomId: filters.buyer_space_id,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, callCursors, { cursor, since: filters.updated_since });
    return jsonPage(rows, limit, ifEmpty, callText, ({ updatedAt, id }) =>
      callCursors.write({ at: updatedAt, id }),
    );
  },
});

/** `GET /calls/{id}`: one call. */
export const getCall = dataOperation({
  operationId: 'getCall',
  tag: 'Calls',
  summary: 'Get a call',
  params: uuidPath,
  response: z.object({ data: call }),
  example: { data: callExample },
  async handler({ companyId, params }, { db }) {
    const id = uuidInPath(params['id']);
    const [row] = await findCalls(db, companyId, { ids: [id] });
    if (row === undefined) throw notFound();
    return jsonObject(callText(row));
  },
});
