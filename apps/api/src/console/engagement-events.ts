import { engagementEvent } from '@deal-signals/serializers/engagement/event';
import { engagementEventExample } from '@deal-signals/serializers/examples/engagement-event';
import { invalidField } from '../http/errors.ts';
import { orderedPageParameters, pageOf } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { findEventPage, listEngagementEventsQuery } from '../routes/feeds/engagement-events.ts';

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
    if (query.order === 'desc' && query.since !== undefined)
      throw invalidField('since', 'must not be given with order=desc');
    return findEventPage(db, companyId, query);
  },
});
