import {
  deliveryCounts,
  findDeliveryCounts,
  serializeDeliveryCounts,
} from '@deal-signals/serializers/console/delivery-counts';
import { periodOf, RANGES } from '@deal-signals/serializers/console/range';
import { z } from 'zod';
import { integerId, oneOf } from '../http/input.ts';
import { dataOperation } from '../http/route.ts';

/** The parameter that selects a period. */
export const rangeParameter = oneOf(RANGES).default('day').meta({
  description:
    'The period, which ends now: the hour by minutes, the day by hours, the week by quarters of a day, the month and the quarter (90 days) by days',
});

const query = z.object({
  range: rangeParameter,
  endpoint_id: integerId.optional().meta({ description: 'Only attempts at this endpoint' }),
});

/** `GET /delivery-counts`: the number of attempts by outcome, over time. */
export const getDeliveryCounts = dataOperation({
  operationId: 'getDeliveryCounts',
  tag: 'Console',
  summary: 'Count attempts over time',
  description:
    'Returns the number of attempts by outcome in each bucket of a period that ends now, for the workspace or for one endpoint. An attempt counts at the time when it began. Test events are not counted. The counts of the workspace include those of removed endpoints.',
  query,
  response: deliveryCounts,
  example: {
    range: 'day',
    bucketSeconds: 3600,
    since: '2026-09-09T10:00:00.000Z',
    buckets: [
      {
        at: '2026-09-09T10:00:00.000Z',
        delivered: 41,
        failed: 2,
        notSent: 0,
        dead: 1,
        meanDurationMs: 132,
        slowestMs: 1904,
      },
    ],
    totals: {
      delivered: 41,
      failed: 2,
      notSent: 0,
      dead: 1,
      meanDurationMs: 132,
      slowestMs: 1904,
      successRate: 0.9535,
    },
  },
  async handler(request, { db }) {
    const { range, endpoint_id: endpointId } = request.query;
    const period = periodOf(range, new Date());
    return serializeDeliveryCounts(
      period,
      await findDeliveryCounts(db, request.companyId, period, endpointId),
    );
  },
});
