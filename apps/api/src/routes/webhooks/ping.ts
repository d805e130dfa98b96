import type { Database, Transaction } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { webhookPingExample } from '../../openapi/examples/webhook-ping.ts';
import {
  findWebhookDeliveries,
  serializeWebhookDelivery,
  type WebhookDeliveryRow,
  webhookDelivery,
} from '@deal-signals/serializers/webhooks/delivery';
import type { EventType } from '@deal-signals/outbox/event-types';
import { type BegunClaim, makeAttempt } from '@deal-signals/deliveries/attempt-delivery';
import { recordPing } from '@deal-signals/deliveries/test-event';
import { z } from 'zod';
import { invalidState, notFound, unavailable } from '../../http/errors.ts';
import { integerInPath, integerPath } from '../../http/input.ts';
import { type Admin, writeAudited } from '../management-transaction.ts';
import { adminOperation } from '../../http/route.ts';

/** `POST /webhooks/{id}/ping`: sends a test event and responds with its outcome. */
export const pingWebhook = adminOperation({
  operationId: 'pingWebhook',
  tag: 'Webhook endpoints',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends an `integration.ping` event immediately, even if the endpoint is disabled and whatever it subscribes to, and responds when the outcome is known. A failed test is a successful response too: the delivery is then `dead` and `lastError` says why. It is not retried and does not count towards disabling the endpoint, except that a 410 disables it. While a test of the endpoint is running, another one is refused with `INVALID_STATE`.',
  params: integerPath,
  response: z.object({ data: webhookDelivery }),
  example: { data: webhookPingExample },
  errors: ['INVALID_STATE'],
  async handler(request, { db, sender, settings, logger, metrics }) {
    const { companyId, params, requestId, note } = request;
    const id = integerInPath(params['id']);
    note({ endpointId: id });
    const claim = await beginPing(db, request, id, settings.webhooks.leaseMs);
    note({ deliveryId: String(claim.deliveryId), eventId: claim.eventId });
    const context = { db, sender, settings: settings.webhooks, logger, metrics: metrics.attempts };
    // Outside any transaction: a receiver that hangs must not hold a lock or a database connection.
    const recorded = await makeAttempt(context, claim, requestId);
    const row = await findDelivery(db, companyId, claim.deliveryId);
    // No outcome was written if this process was shutting down or the lease ran out first. If one was written and the
    // delivery is pending nevertheless, an admin has retried it since.
    if (recorded?.written !== true && row.status === 'pending') {
      throw unavailable(
        `the test was cut short before its outcome was known; see delivery ${claim.deliveryId}`,
      );
    }
    return { data: serializeWebhookDelivery(row) };
  },
});

/** Records the event and its delivery, with the attempt begun: the caller makes it. */
function beginPing(db: Database, admin: Admin, endpointId: number, leaseMs: number): Promise<BegunClaim> {
  return inFeedTransaction(db, admin.companyId, (feed) =>
    writeAudited(feed.tx, admin, async () => {
      const claim = await recordPing(feed, endpointId, leaseMs);
      if (claim === null) throw notFound();
      const isUnderWay = await isAnotherUnderWay(feed.tx, claim);
      if (isUnderWay) throw invalidState('a test of this endpoint is already running; wait for its outcome');
      return {
        result: claim,
        audit: {
          action: 'webhook.pinged',
          objectType: 'webhook',
          objectId: endpointId,
          details: { deliveryId: String(claim.deliveryId) },
        },
      };
    }),
  );
}

/**
 * Whether another test of the endpoint is running in any process: begun, not ended, and within its lease. One test at a
 * time is enough, and it limits how many requests a workspace can make the API send to someone else's host at once.
 * The caller holds the workspace lock, so two tests cannot both see none running.
 */
async function isAnotherUnderWay(
  tx: Transaction,
  { companyId, endpointId, deliveryId }: BegunClaim,
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM webhook_deliveries
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND claim_token IS NOT NULL
      AND id <> ${deliveryId} AND event_type = ${'integration.ping' satisfies EventType}
      AND lease_expires_at > clock_timestamp()
    LIMIT 1`;
  return rows.length > 0;
}

async function findDelivery(
  db: Database,
  companyId: number,
  deliveryId: bigint,
): Promise<WebhookDeliveryRow> {
  const [row] = await findWebhookDeliveries(db, companyId, Prisma.sql`AND d.id = ${deliveryId}`);
  if (row === undefined) throw new Error('the delivery of the test event was not found');
  return row;
}
