import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  distribution,
  findDistributions,
  serializeDistribution,
} from '@deal-signals/serializers/rooms/distribution';
import { z } from 'zod';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { notFound } from '../http/errors.ts';
import { parseQuery, uuid, uuidInPath, uuidPath } from '../http/input.ts';
import { pageOf, timeCursors, timePageParameters, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { distributionExample } from '../openapi/examples/distribution.ts';

const cursors = timeCursors('distributions');

/** The query parameters of `GET /distributions`. */
export const listDistributionsQuery = z.object({
  ...timePageParameters(cursors),
  updated_since: dateTimeInput
    .optional()
    .meta({ description: 'Only share links that changed at or after this time' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only share links of this Decision Room' }),
  demo_id: uuid.optional().meta({ description: 'Only share links to this recording' }),
});

/** `GET /distributions`: the share links of the workspace, in the order they last changed. */
export const listDistributions = dataOperation({
  operationId: 'listDistributions',
  tag: 'Engagement',
  summary: 'List share links',
  description:
    'Returns the share links of the workspace, in the order they last changed, with the person that each is addressed to now. A link that is addressed to somebody else or shares another recording is returned again at its new position, so store links by `id`.',
  query: listDistributionsQuery,
  response: pageOf(distribution),
  example: {
    data: [distributionExample],
    nextCursor: cursors.write({ at: new Date(distributionExample.updatedAt), id: distributionExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = parseQuery(listDistributionsQuery, query);
    const rows = await findDistributions(db, companyId, {
      after: cursors.after(cursor, filters.updated_since),
      roomId: filters.buyer_space_id,
      recordingId: filters.demo_id,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since: filters.updated_since });
    return toPage(rows, limit, ifEmpty, serializeDistribution, ({ updatedAt, id }) =>
      cursors.write({ at: updatedAt, id }),
    );
  },
});

/** `GET /distributions/{id}`: one share link. */
export const getDistribution = dataOperation({
  operationId: 'getDistribution',
  tag: 'Engagement',
  summary: 'Get a share link',
  params: uuidPath,
  response: z.object({ data: distribution }),
  example: { data: distributionExample },
  async handler({ companyId, params }, { db }) {
    const [row] = await findDistributions(db, companyId, { id: uuidInPath(params['id']), limit: 1 });
    if (row === undefined) throw notFound();
    return { data: serializeDistribution(row) };
  },
});
