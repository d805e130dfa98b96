import type { Database } from '@deal-signals/db/database';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import {
  findWebhookDeliveries,
  serializeWebhookDelivery,
  webhookDelivery,
  type WebhookDeliveryRow,
} from './delivery.ts';

/** A delivery can be retried for ever; of its attempts so many are shown, the newest. */
const MOST_ATTEMPTS = 1_000;

/** One attempt that was made, and what came of it. */
export const webhookAttempt = z
  .object({
    number: z
      .int()
      .meta({ description: 'Counts every attempt of the delivery from 1, over all its retries' }),
    startedAt: dateTime,
    durationMs: z.int().meta({
      description: 'From the look-up of the host to the response headers, or to the failure',
    }),
    statusCode: z.int().nullable().meta({ description: 'Null when no answer came' }),
    error: z.string().nullable().meta({ description: 'Why it failed; null when it did not' }),
    responseExcerpt: z
      .string()
      .nullable()
      .meta({ description: 'The first KiB of what the receiver answered; null when no answer came' }),
  })
  .meta({ id: 'WebhookAttempt' });

/** The body of the deliveries of an event, as a JSON object. */
export const webhookPayload = z
  .object({
    id: z.uuid(),
    type: z.string(),
    apiVersion: z.iso.date(),
    createdAt: dateTime,
    companyId: z.int(),
    data: z.record(z.string(), z.unknown()).meta({ description: 'As described for the event type' }),
  })
  .meta({ id: 'WebhookPayload', description: 'The body, as every attempt sends it' });

/** A delivery with what it carries and what came of its attempts. */
export const webhookDeliveryDetail = webhookDelivery
  .extend({
    payload: webhookPayload,
    attemptLog: z.array(webhookAttempt).meta({
      description: `The attempts in the order in which they were made; of more than ${MOST_ATTEMPTS}, the newest`,
    }),
  })
  .meta({ id: 'WebhookDeliveryDetail' });

/** A delivery with its payload and attempts, as the API shows it. */
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;

/** The columns that the object of an attempt is made of. */
export interface WebhookAttemptRow {
  number: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseExcerpt: string | null;
}

/** What a delivery's detail is made of. */
export interface WebhookDeliveryDetailRow extends WebhookDeliveryRow {
  /** The envelope as the text that is sent. */
  body: string;
  /** The newest first. */
  attemptLog: WebhookAttemptRow[];
}

/** Reads one delivery of an endpoint; null when the endpoint has no such delivery. */
export function findWebhookDeliveryDetail(
  db: Database,
  companyId: number,
  endpointId: number,
  deliveryId: bigint,
): Promise<WebhookDeliveryDetailRow | null> {
  // One snapshot, or an attempt recorded in between would be in the log and not in the delivery.
  return db.$transaction(
    async (tx) => {
      const [delivery] = await findWebhookDeliveries(tx, companyId, { id: deliveryId, endpointId });
      if (delivery === undefined) return null;
      const { body } = await tx.webhookEvent.findUniqueOrThrow({
        where: { companyId_id: { companyId, id: delivery.eventId } },
        select: { body: true },
      });
      const attemptLog = await tx.webhookAttempt.findMany({
        where: { deliveryId },
        orderBy: { number: 'desc' },
        take: MOST_ATTEMPTS,
      });
      return { ...delivery, body, attemptLog };
    },
    { isolationLevel: 'RepeatableRead' },
  );
}

/** Builds the API object of a delivery with its payload and attempts. */
export function serializeWebhookDeliveryDetail(row: WebhookDeliveryDetailRow): WebhookDeliveryDetail {
  return {
    ...serializeWebhookDelivery(row),
    payload: JSON.parse(row.body) as WebhookDeliveryDetail['payload'],
    attemptLog: row.attemptLog.toReversed().map((attempt) => ({
      number: attempt.number,
      startedAt: attempt.startedAt.toISOString(),
      durationMs: attempt.durationMs,
      statusCode: attempt.statusCode,
      error: attempt.error,
      responseExcerpt: attempt.responseExcerpt,
    })),
  };
}
