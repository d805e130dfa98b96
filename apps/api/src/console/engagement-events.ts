import {
  engagementEvent,
  findEngagementEvents,
  findNewestEngagementEvents,
} from '@deal-signals/serializers/engagement/event';
import { engagementEventExample } from '@deal-signals/serializers/examples/engagement-event';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { invalidField } from '../http/errors.ts';
import { textPage } from '../http/responses/json-text.ts';
import { descendingCursors, integerCursors, orderedPageParameters, pageOf } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { listEngagementEventsQuery } from '../routes/feeds/engagement-events.ts';

/** `GET /engagement/events` of the console: what prospects did, in either order of recording. */
export const listEngagementEvents = dataOperation({
  operationId: 'listEngagementEvents',
  tag: 'Engagement',
  summary: 'List engagement events',
  description:
    'Returns what prospects did, in the order it was recorded or, with `order=desc`, in the reverse order. `since` requires ascending order: an event may be recorded long after it occurred, so in descending order, an event before `since` does not mean that all later results are older.',
  query: listEngagementEventsQuery.extend(orderedPageParameters),
  response: pageOf(engagementEvent, 'Events in the requested order'),
  example: { data: [engagementEventExample], nextCursor: engagementEventExample.id, hasMore: true },
  async handler({ companyId, query }, { db }) {
    const { order, cursor, limit, since, ...others } = query;
    const isNewestFirst = order === 'desc';
    if (isNewestFirst && since !== undefined)
      throw invalidField('since', 'must not be given with order=desc');
    const cursors = isNewestFirst ? descendingCursors : integerCursors;
    const position = cursors.read(cursor ?? cursors.start);
    const filter = {
      types: others.types,
      roomId: others.buyer_space_id,
      recordingId: others.demo_id,
      limit: limit + 1,
    };
    const found = isNewestFirst
      ? await findNewestEngagementEvents(db, companyId, { ...filter, before: position })
      : await findEngagementEvents(db, companyId, { ...filter, after: position, since });
    const ifEmpty = await cursorIfEmpty(db, found.rows, cursors, { cursor, since });
    return textPage(found, limit, ifEmpty, cursors);
  },
});
