import { API_VERSION } from '@deal-signals/outbox/event-types';
import { findWebhookTotals, serializeStatus, status } from '@deal-signals/serializers/status';
import { statusExample } from '@deal-signals/serializers/examples/status';
import { keyOperation } from '../http/route.ts';

/** `GET /status`: the key, its workspace, the state of the workspace's webhooks, and the rate limit. */
export const getStatus = keyOperation({
  operationId: 'getStatus',
  tag: 'Status',
  summary: 'Get the status of the key and its workspace',
  description:
    "Returns the key, the workspace it belongs to, the state of the workspace's webhooks, and the rate limit.",
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
