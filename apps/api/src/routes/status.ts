import { statusExample } from '../openapi/examples/status.ts';
import { findWebhookTotals, serializeStatus, status } from '@deal-signals/serializers/status';
import { API_VERSION } from '@deal-signals/outbox/event-types';
import { dataOperation } from '../http/route.ts';

/** `GET /status`: who the key belongs to, and how its webhooks fare. */
export const getStatus = dataOperation({
  operationId: 'getStatus',
  tag: 'Status',
  summary: 'Get the status of the key and its workspace',
  description: 'Who the key belongs to, how the webhooks of the workspace fare, and what limit applies.',
  response: status,
  example: statusExample,
  async handler({ companyId, key }, { db, settings }) {
    return serializeStatus({
      apiVersion: API_VERSION,
      company: key.company,
      key,
      webhooks: await findWebhookTotals(db, companyId),
      rateLimitPerMinute: settings.rateLimitPerMinute,
    });
  },
});
