import type { Database } from '@deal-signals/db/database';
import type { Attempt } from '@deal-signals/deliveries/attempts/begin-attempt';
import type { RecordOutcome } from '@deal-signals/deliveries/attempts/outcome';
import { recordOutcome } from '@deal-signals/deliveries/attempts/record-outcomes';
import { sendAndRecord } from '@deal-signals/deliveries/attempts/send-and-record';
import { startTestEvent } from '@deal-signals/deliveries/admin-actions/test-event';
import {
  findWebhookDeliveries,
  serializeWebhookDelivery,
  type WebhookDeliveryRow,
  webhookDelivery,
} from '@deal-signals/serializers/webhooks/delivery';
import { z } from 'zod';
import { webhookPingExample } from '@deal-signals/serializers/examples/webhooks/webhook-ping';
import { invalidState, notFound, unavailable } from '../../http/errors.ts';
import { countPing } from '../../http/limits/rate-limit.ts';
import { integerPath } from '../../http/input.ts';
import { type Caller, managementOperation } from '../../http/route.ts';
import { inManagementTransaction } from '../management-transaction.ts';
import { lockPresent } from './endpoints/find.ts';

/** `POST /webhooks/{id}/ping`: sends a test event and responds with its outcome. */
export const pingWebhook = managementOperation({
  operationId: 'pingWebhook',
  tag: 'Webhook endpoints',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends an `integration.ping` event immediately, even if the endpoint is disabled or does not subscribe to it, and responds when the outcome is known. If the test fails, the response is still 200: the delivery is then `dead`, and `lastError` contains the reason. A test is not retried and does not count towards disabling the endpoint, except that a 410 disables it. While a test of the endpoint is running, another one is rejected with `INVALID_STATE`. A workspace can send 10 tests a minute. Until the host has responded to a delivery of the workspace once, `lastError` does not reveal how a connection failed.',
  params: integerPath,
  response: z.object({ data: webhookDelivery }),
  example: { data: webhookPingExample },
  errors: ['INVALID_STATE', 'RATE_LIMITED'],
  async handler(request, { db, sender, settings, logger, metrics, rateLimits }) {
    const { companyId, requester, slot, addLogFields } = request;
    const { id } = request.params;
    await countPing(rateLimits.pings, companyId);
    const attempt = await startTest(db, request, id, settings.webhooks.leaseMs);
    addLogFields({ deliveryId: String(attempt.deliveryId), eventId: attempt.eventId });
    const context = {
      // The API does not know whether the operator wants alerts. The worker deletes them if its setting is off.
      record: (...ended: Parameters<RecordOutcome>) =>
        recordOutcome(db, { ...settings.webhooks, alertsOperator: true }, ...ended),
      sender,
      settings: settings.webhooks,
      logger,
      metrics: metrics.attempts,
    };
    // Outside any transaction, because a receiver that hangs must not hold a lock or a database connection.
    const recorded = await sendAndRecord(context, attempt, requester.requestId);
    const row = await slot.read(() => findDelivery(db, companyId, attempt.deliveryId));
    // The outcome is missing if this process was shutting down or the lease expired first. If the outcome was recorded and the
    // delivery is pending nevertheless, an admin has already retried it.
    if (recorded?.written !== true && row.status === 'pending') {
      throw unavailable(
        `the test was cut short before its outcome was known; see delivery ${attempt.deliveryId}`,
      );
    }
    return { data: serializeWebhookDelivery(row) };
  },
});

/** Records the event and its delivery. The attempt has then begun, so the caller must send it. */
function startTest(db: Database, caller: Caller, endpointId: number, leaseMs: number): Promise<Attempt> {
  return inManagementTransaction(db, caller, async (feed) => {
    await lockPresent(feed.tx, caller, endpointId);
    const test = await startTestEvent(feed, endpointId, leaseMs);
    if (test.kind === 'unknown') throw notFound();
    if (test.kind === 'running') {
      throw invalidState('a test of this endpoint is already running; wait for its outcome');
    }
    return {
      result: test.attempt,
      audit: {
        action: 'webhook.pinged',
        objectType: 'webhook',
        objectId: endpointId,
        details: { deliveryId: String(test.attempt.deliveryId) },
      },
    };
  });
}

async function findDelivery(
  db: Database,
  companyId: number,
  deliveryId: bigint,
): Promise<WebhookDeliveryRow> {
  const [row] = await findWebhookDeliveries(db, companyId, { id: deliveryId });
  if (row === undefined) throw new Error('the delivery of the test event was not found');
  return row;
}
