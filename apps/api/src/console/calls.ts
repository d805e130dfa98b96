import { call, callText, findCalls } from '@deal-signals/serializers/calls/call';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { parseQuery } from '../http/input.ts';
import { jsonPage } from '../http/responses/json-text.ts';
import { END, orderedTimePageParameters, pageOf, timeCursors, UUIDS } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { callExample } from '../openapi/examples/call.ts';
import { callCursors, listCallsQuery } from '../routes/calls.ts';

const newestFirst = timeCursors('calls-newest-first', UUIDS, END);

/** The query parameters of `GET /calls` of the console. */
export const listConsoleCallsQuery = listCallsQuery.extend(orderedTimePageParameters(newestFirst));

/** `GET /calls` of the console: the calls of the workspace, in either order of their last change. */
export const listCalls = dataOperation({
  operationId: 'listCalls',
  tag: 'Calls',
  summary: 'List calls',
  description:
    'Returns the calls of the workspace, in the order they last changed or, with `order=desc`, in the reverse order. Newest first, a call that changes moves to the beginning: a walk that has begun does not return it again.',
  query: listConsoleCallsQuery,
  response: pageOf(call, 'Calls in the order that was asked for'),
  example: {
    data: [callExample],
    nextCursor: newestFirst.write({ at: new Date(callExample.updatedAt), id: callExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { order, cursor, limit, ...filters } = parseQuery(listConsoleCallsQuery, query);
    const isNewestFirst = order === 'desc';
    const cursors = isNewestFirst ? newestFirst : callCursors;
    const since = filters.updated_since;
    const rows = await findCalls(db, companyId, {
      ...(isNewestFirst
        ? { before: newestFirst.after(cursor, undefined), since }
        : { after: callCursors.after(cursor, since) }),
      isNewestFirst,
      kind: filters.kind,
      hasSummary: filters.has_summary === 'true',
      roomId: filters.buyer_space_id,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since });
    return jsonPage(rows, limit, ifEmpty, callText, ({ updatedAt, id }) =>
      cursors.write({ at: updatedAt, id }),
    );
  },
});
