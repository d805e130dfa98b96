import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { engagementView, findEngagementViews } from '@deal-signals/serializers/engagement/view';
import { z } from 'zod';
import { engagementViewExample } from '@deal-signals/serializers/examples/engagement-view';
import { cursorIfEmpty } from '../../http/empty-page.ts';
import { uuid } from '../../http/input.ts';
import { textPage } from '../../http/responses/json-text.ts';
import { integerCursors, integerPageParameters, pageOf } from '../../http/pagination.ts';
import { dataOperation } from '../../http/route.ts';

/** The query parameters of `GET /engagement/views`. */
const listEngagementViewsQuery = z.object({
  ...integerPageParameters,
  since: dateTimeInput.optional().meta({ description: 'Only views that started at or after this time' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only views in this Decision Room' }),
  demo_id: uuid.optional().meta({ description: 'Only views of this recording' }),
  distribution_id: uuid.optional().meta({ description: 'Only views through this share link' }),
});

/** `GET /engagement/views`: finished viewing sessions, in the order they were recorded. */
export const listEngagementViews = dataOperation({
  operationId: 'listEngagementViews',
  tag: 'Engagement',
  summary: 'List views',
  description:
    'Returns the finished viewing sessions of recordings and documents, in the order they were recorded. A view never changes, except by an erasure.',
  query: listEngagementViewsQuery,
  response: pageOf(engagementView),
  example: { data: [engagementViewExample], nextCursor: engagementViewExample.id, hasMore: true },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = query;
    const found = await findEngagementViews(db, companyId, {
      after: integerCursors.read(cursor ?? integerCursors.start),
      since: filters.since,
      roomId: filters.buyer_space_id,
      recordingId: filters.demo_id,
      shareLinkId: filters.distribution_id,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, found.rows, integerCursors, { cursor, since: filters.since });
    return textPage(found, limit, ifEmpty, integerCursors);
  },
});
