import type { Database } from '@deal-signals/db/database';
import {
  RESEND_BATCH,
  resendBatch,
  resendDelivery,
  type ResendFilter,
  type ResentBatch,
} from '@deal-signals/deliveries/admin-actions/resend';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import { webhookResendExample } from '@deal-signals/serializers/examples/webhooks/webhook-resend';
import { integerPath, someOf } from '../../http/input.ts';
import { adminOperation, type Caller } from '../../http/route.ts';
import { inManagementTransaction } from '../management-transaction.ts';
import { doneOrThrow, sendDelivery } from './send-delivery.ts';

/** Maximum number of batches of one call. Each is a transaction, and captures of the workspace continue in between. */
const BATCHES_A_CALL = 10;
/** Maximum number of deliveries that one call examines. */
export const LOOKED_AT = BATCHES_A_CALL * RESEND_BATCH;
const CURSOR_MESSAGE = 'must be the `nextCursor` of the previous call';

/** `POST /webhooks/{id}/deliveries/{deliveryId}/resend`: creates a new delivery of the same event. */
export const resendEndpointDelivery = sendDelivery({
  operationId: 'resendDelivery',
  summary: 'Send the event of a delivery again',
  description:
    'Creates a new delivery of the same event: the same payload with the same event id, a new delivery id, and a retry schedule of its own. The old delivery may have any status, which does not change. The new delivery comes after the fresh ones of the workspace. While the endpoint is disabled, it waits with `nextAttemptAt` null. The request is rejected with `INVALID_STATE` if the endpoint was removed. To attempt a dead or pending delivery itself again, use `retryDelivery`.',
  status: 201,
  example: webhookResendExample,
  action: 'delivery.resent',
  auditedDetails: (deliveryId) => ({ resendOf: String(deliveryId) }),
  send: resendDelivery,
});

/** The body of `POST /webhooks/{id}/resend`. */
const resendDeliveriesBody = z.object({
  since: dateTimeInput.optional().meta({ description: 'Only events created at or after this time' }),
  until: dateTimeInput.optional().meta({ description: 'Only events created before this time' }),
  eventTypes: someOf(EVENT_TYPES).optional().meta({ description: 'Only events of these types' }),
  cursor: z
    .string(CURSOR_MESSAGE)
    .regex(/^[0-9]{1,18}$/, CURSOR_MESSAGE)
    .optional()
    .meta({ description: 'The `nextCursor` of the previous call, to continue after it' }),
});

/** `POST /webhooks/{id}/resend`: creates new deliveries of the events that were sent to an endpoint. */
export const resendEndpointDeliveries = adminOperation({
  operationId: 'resendDeliveries',
  tag: 'Webhook deliveries',
  summary: 'Send the events of a webhook endpoint again',
  description: `Creates a new delivery for each event that was sent to the endpoint, oldest first, as \`resendDelivery\` does for one. Each event is sent once, however often it was sent before. Test events are left out, and so are events that still have a pending delivery to the endpoint. Each call examines up to ${LOOKED_AT.toLocaleString('en')} deliveries. If \`nextCursor\` is not null, call again with it as \`cursor\` and the same filters, even if \`count\` is 0. The request is rejected with \`INVALID_STATE\` if the endpoint was removed.`,
  params: integerPath,
  body: resendDeliveriesBody,
  bodyExample: { since: '2026-09-01T12:00:00.000Z', until: '2026-09-02T12:00:00.000Z' },
  isBodyOptional: true,
  response: z.object({
    count: z.int().meta({ description: 'Number of new deliveries' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'The cursor of the next call; null if nothing is left' }),
  }),
  example: { count: 1, nextCursor: null },
  errors: ['INVALID_STATE'],
  async handler(request, { db }) {
    const { id } = request.params;
    const { since = null, until = null, eventTypes = null, cursor } = request.body;
    let count = 0;
    let position: bigint | null = BigInt(cursor ?? 0);
    for (let batches = 0; batches < BATCHES_A_CALL && position !== null; batches += 1) {
      const batch: ResentBatch = await resendMore(db, request, id, {
        since,
        until,
        eventTypes,
        cursor: position,
      });
      count += batch.count;
      position = batch.cursor;
    }
    return { count, nextCursor: position === null ? null : String(position) };
  },
});

/** Resends one batch. Each batch that resends something has its own audit record, because it commits separately. */
function resendMore(
  db: Database,
  caller: Caller,
  endpointId: number,
  filter: ResendFilter,
): Promise<ResentBatch> {
  return inManagementTransaction(db, caller, async (feed) => {
    const batch = doneOrThrow(await resendBatch(feed, endpointId, filter));
    if (batch.count === 0) return { result: batch, audit: null };
    return {
      result: batch,
      audit: {
        action: 'deliveries.resent',
        objectType: 'webhook',
        objectId: endpointId,
        details: {
          count: batch.count,
          since: filter.since?.toISOString() ?? null,
          until: filter.until?.toISOString() ?? null,
          eventTypes: filter.eventTypes === null ? null : [...filter.eventTypes],
        },
      },
    };
  });
}
