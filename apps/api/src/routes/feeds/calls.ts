import { call, callKind, callText, findCalls } from '@deal-signals/serializers/calls/call';
import { callExample } from '@deal-signals/serializers/examples/call';
import { oneOf, uuid } from '../../http/input.ts';
import { timeCursors } from '../../http/pagination.ts';
import { feed, type FeedText, readOne } from './feed.ts';

const shown = { tag: 'Calls', item: call, example: callExample, text: callText } as const;

/** Creates an operation that lists calls. */
export function callFeed(own: FeedText) {
  return feed({
    ...shown,
    ...own,
    operationId: 'listCalls',
    summary: 'List calls',
    cursors: timeCursors('calls'),
    sortKey: 'updatedAt',
    updatedSince: 'Only calls that changed at or after this time',
    filters: {
      kind: oneOf(callKind.options).optional().meta({ description: 'Only calls of this kind' }),
      // The contract only defines `true`. `false` does not filter, so a client that sends it as a default misses no call.
      has_summary: oneOf(['true', 'false'])
        .optional()
        .meta({ description: '`true`: only calls that have a summary; `false`: no filter' }),
      buyer_space_id: uuid.optional().meta({ description: 'Only calls that belong to this Decision Room' }),
    },
    find: (db, companyId, { kind, has_summary: hasSummary, buyer_space_id: roomId, ...page }) =>
      findCalls(db, companyId, { ...page, kind, hasSummary: hasSummary === 'true', roomId }),
  });
}

/** `GET /calls`: the calls of the workspace, in the order they last changed. */
export const listCalls = callFeed({
  description:
    'Returns the calls of the workspace, in the order they last changed. A call that changes, for example because its summary is regenerated, is returned again at its new position, so store calls by `id`.',
});

/** `GET /calls/{id}`: one call. */
export const getCall = readOne({
  ...shown,
  operationId: 'getCall',
  summary: 'Get a call',
  find: (db, companyId, id) => findCalls(db, companyId, { ids: [id] }),
});
