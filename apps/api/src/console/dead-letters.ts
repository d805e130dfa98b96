import { countDeadLetters, MAX_COUNTED } from '@deal-signals/deliveries/admin-actions/dead-letters';
import { deadLetterGroups, findDeadLetterGroups } from '@deal-signals/serializers/console/dead-letters';
import { z } from 'zod';
import { integerId } from '../http/input.ts';
import { dataOperation } from '../http/route.ts';
import { selectionParameters } from '../routes/webhooks/dead-letters.ts';

const groupsQuery = z.object({
  endpoint_id: integerId.optional().meta({ description: 'Only dead deliveries of this endpoint' }),
});

/** `GET /dead-letters`: the dead deliveries of the workspace by endpoint and error. */
export const listDeadLetters = dataOperation({
  operationId: 'listDeadLetters',
  tag: 'Console',
  summary: 'Group dead deliveries by endpoint and error',
  description:
    'Returns the dead deliveries that have not been dismissed, grouped by endpoint and error. Test events and deliveries of removed endpoints are left out.',
  query: groupsQuery,
  response: deadLetterGroups,
  example: {
    data: [
      {
        endpointId: 2,
        error: 'receiver responded with 503',
        statusCode: 503,
        count: 3,
        countExact: true,
        oldestAt: '2026-09-10T08:12:04.621Z',
        newestAt: '2026-09-10T08:19:40.127Z',
        exampleDeliveryId: '1789030800009000',
      },
    ],
    isComplete: true,
  },
  handler: ({ companyId, query }, { db }) => findDeadLetterGroups(db, companyId, query.endpoint_id),
});

const countQuery = z.object({
  ...selectionParameters,
  endpoint_id: integerId.meta({ description: 'Id of the endpoint' }),
});

/** `GET /dead-letters/count`: how many deliveries a retry or a dismissal would move. */
export const countDeadDeliveries = dataOperation({
  operationId: 'countDeadDeliveries',
  tag: 'Console',
  summary: 'Count what a retry or a dismissal would move',
  description: `Counts the dead deliveries of an endpoint that \`retryDeadDeliveries\` and \`dismissDeadDeliveries\` would move with the same \`since\`, \`before\` and \`error\`, over all calls together. It counts up to ${MAX_COUNTED.toLocaleString('en')}. The count is 0 if the endpoint was removed or does not exist.`,
  query: countQuery,
  response: z
    .object({
      count: z.int().meta({ description: `Counted up to ${MAX_COUNTED.toLocaleString('en')}` }),
      countExact: z.boolean().meta({
        description: 'False if there are more than the count, which is then the maximum that is counted',
      }),
    })
    .meta({ id: 'DeadLetterCount' }),
  example: { count: 3, countExact: true },
  async handler({ companyId, query }, { db }) {
    const { endpoint_id: endpointId, ...selection } = query;
    const count = await countDeadLetters(db, companyId, endpointId, selection);
    return { count: Math.min(count, MAX_COUNTED), countExact: count <= MAX_COUNTED };
  },
});
