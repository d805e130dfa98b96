import {
  endpointHealthList,
  findBacklogs,
  findPresentCounts,
  serializeEndpointHealth,
} from '@deal-signals/serializers/console/endpoint-health';
import { periodOf } from '@deal-signals/serializers/console/range';
import { z } from 'zod';
import { dataOperation } from '../http/route.ts';
import { rangeParameter } from './delivery-counts.ts';

/** `GET /endpoint-health`: the attempts at each endpoint over time, and its current backlog. */
export const listEndpointHealth = dataOperation({
  operationId: 'listEndpointHealth',
  tag: 'Console',
  summary: 'List the health of all endpoints',
  description:
    'Returns for each webhook endpoint of the workspace the number of attempts by outcome, over a period that ends now, and the number of waiting and dead deliveries. Removed endpoints are left out. Test events are not counted among the attempts.',
  query: z.object({ range: rangeParameter }),
  response: endpointHealthList,
  example: {
    range: 'day',
    bucketSeconds: 3600,
    since: '2026-09-09T10:00:00.000Z',
    disableAfter: 20,
    data: [
      {
        endpointId: 1,
        delivered: [41],
        failed: [2],
        meanDurationsMs: [132],
        totals: {
          delivered: 41,
          failed: 2,
          notSent: 0,
          dead: 1,
          meanDurationMs: 132,
          slowestMs: 1904,
          successRate: 0.9535,
        },
        pendingDeliveries: 90,
        pendingDeliveriesExact: true,
        deadDeliveries: 1,
        deadDeliveriesExact: true,
        oldestDeadAt: '2026-09-09T10:12:04.621Z',
        oldestDueAt: null,
        rateLimited: { maxPerMinute: 60, deliveries: 90, deliveriesExact: true, secondsLeft: 90 },
      },
    ],
  },
  async handler(request, { db, settings }) {
    const period = periodOf(request.query.range, new Date());
    // Sequential, because a request may use only one connection.
    const backlogs = await findBacklogs(db, request.companyId);
    const counts = await findPresentCounts(db, request.companyId, period);
    return serializeEndpointHealth(period, backlogs, counts, settings.webhooks.disableAfter);
  },
});
