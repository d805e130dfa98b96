import { findBacklogs } from '@deal-signals/serializers/console/endpoint-health';
import {
  findActiveKeys,
  findEndpointStates,
  overview,
  serializeOverview,
} from '@deal-signals/serializers/console/overview';
import { findWebhookTotals } from '@deal-signals/serializers/status';
import { dataOperation } from '../http/route.ts';

/** `GET /overview`: the state of the webhooks and keys of a workspace, and what needs an admin's attention. */
export const getOverview = dataOperation({
  operationId: 'getOverview',
  tag: 'Console',
  summary: 'Get the overview',
  description:
    "Returns the state of the workspace's webhooks as the status shows it, the delivery that has been due longest, the dead deliveries of each endpoint, and what needs an admin's attention. Counts have a maximum, and are marked when they reach it.",
  response: overview,
  example: {
    webhooks: {
      endpoints: 2,
      enabledEndpoints: 1,
      disabledEndpoints: 1,
      failingEndpoints: 0,
      pendingDeliveries: 12,
      pendingDeliveriesExact: true,
      deadDeliveries: 3,
      deadDeliveriesExact: true,
      lastDeliveredAt: '2026-09-10T09:00:04.930Z',
    },
    oldestDue: {
      deliveryId: '1789030800012000',
      endpointId: 1,
      createdAt: '2026-09-10T09:00:04.621Z',
      dueAt: '2026-09-10T09:01:04.930Z',
    },
    deadLetters: [{ endpointId: 2, count: 3, countExact: true, oldestAt: '2026-09-10T08:12:04.621Z' }],
    attention: [
      {
        kind: 'endpoint_disabled',
        endpointId: 2,
        url: 'https://hooks.example.com/deal-signals',
        pendingDeliveries: 11,
        pendingDeliveriesExact: true,
        reason: '20 consecutive failed attempts',
        lastError: 'receiver responded with 500',
        disabledAt: '2026-09-10T08:31:11.008Z',
      },
      {
        kind: 'dead_letters',
        endpointId: 2,
        url: 'https://hooks.example.com/deal-signals',
        deadDeliveries: 3,
        deadDeliveriesExact: true,
        oldestAt: '2026-09-10T08:12:04.621Z',
      },
    ],
  },
  async handler({ companyId }, { db, settings }) {
    // Sequential, because a request may use only one connection.
    const totals = await findWebhookTotals(db, companyId);
    const endpoints = await findEndpointStates(db, companyId);
    const backlogs = await findBacklogs(db, companyId);
    const keys = await findActiveKeys(db, companyId);
    return serializeOverview({
      totals,
      endpoints,
      backlogs,
      keys,
      disableAfter: settings.webhooks.disableAfter,
      now: new Date(),
    });
  },
});
