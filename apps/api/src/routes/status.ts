import { findWebhookTotals, serializeStatus, type Status } from '@deal-signals/serializers/status';
import { API_VERSION } from '@deal-signals/webhooks/event-types';
import type { DataRequest, Dependencies } from '../route.ts';

/** `GET /status`: who the key belongs to, and how its webhooks fare. */
export async function getStatus(
  { companyId, key }: DataRequest,
  { db, settings }: Dependencies,
): Promise<Status> {
  return serializeStatus({
    apiVersion: API_VERSION,
    company: key.company,
    key,
    webhooks: await findWebhookTotals(db, companyId),
    rateLimitPerMinute: settings.rateLimitPerMinute,
  });
}
