import type { Database, Transaction } from '@deal-signals/db/database';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import {
  findWebhookDeliveries,
  serializeWebhookDelivery,
  webhookDelivery,
  type WebhookDeliveryRow,
} from './delivery.ts';

/** Maximum number of attempts that are returned, newest first. Manual retries make their number unlimited. */
export const MAX_ATTEMPTS = 1_000;

/** The duration of an attempt or of the test of a URL. */
export const durationMs = z.int().nullable().meta({
  description:
    'Time from the DNS lookup to the response headers, or to the failure; null if `error` does not reveal how the connection failed',
});

/** One attempt of a delivery, and its outcome. */
export const webhookAttempt = z
  .object({
    number: z.int().meta({
      description: 'Counts from 1 over all attempts of the delivery, including those after a manual retry',
    }),
    startedAt: dateTime,
    durationMs,
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the response; null if there was none' }),
    error: z.string().nullable().meta({ description: 'Why the attempt failed; null if it succeeded' }),
    responseExcerpt: z.string().nullable().meta({
      description:
        'The first KiB of the response body; null if there was no response, or if the endpoint had had custom headers by then, which a response may repeat',
    }),
    retryAfterSeconds: z.int().nullable().meta({
      description: 'How long the `Retry-After` of a 429 or 503 asked to wait; null if it did not',
    }),
    traceparent: z.string().nullable().meta({
      description:
        'The `traceparent` header that was sent (W3C Trace Context). Its trace id is that of the request that captured the event or, if that had none, the event id without hyphens; null in attempts before it was introduced',
    }),
  })
  .meta({ id: 'WebhookAttempt' });

/** The body that every delivery of an event sends, as a JSON object. */
export const webhookPayload = z
  .object({
    id: z.guid(),
    type: z.string(),
    apiVersion: z.iso.date(),
    createdAt: dateTime,
    companyId: z.int(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Payload of the event type, as described under Webhooks' }),
  })
  .meta({ id: 'WebhookPayload', description: 'The request body that every attempt sends' });

/** A delivery with its payload and its attempts. */
export const webhookDeliveryDetail = webhookDelivery
  .extend({
    payload: webhookPayload,
    attemptLog: z.array(webhookAttempt).meta({
      description: `Attempts, oldest first; at most the newest ${MAX_ATTEMPTS.toLocaleString('en')}`,
    }),
  })
  .meta({ id: 'WebhookDeliveryDetail' });

/** A delivery with its payload and attempts, in the API. */
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;

/** The columns an attempt object is built from. */
export interface WebhookAttemptRow {
  number: number;
  startedAt: Date;
  durationMs: number | null;
  statusCode: number | null;
  error: string | null;
  responseExcerpt: string | null;
  retryAfterSeconds: number | null;
  traceparent: string | null;
}

/** The columns a delivery detail object is built from. */
export interface WebhookDeliveryDetailRow extends WebhookDeliveryRow {
  /** The envelope as JSON text, exactly as it is sent. */
  body: string;
  /** Newest first. */
  attemptLog: WebhookAttemptRow[];
}

/**
 * Reads one delivery; null if the workspace has no such delivery.
 *
 * @param where the id and, to require a delivery of one endpoint, that of the endpoint.
 */
export function findWebhookDeliveryDetail(
  db: Database,
  companyId: number,
  where: { id: bigint; endpointId?: number },
): Promise<WebhookDeliveryDetailRow | null> {
  // Read in one snapshot. Otherwise an attempt that is recorded between the reads would be in the log but not in the delivery.
  return db.transaction(
    async (tx) => {
      const [delivery] = await findWebhookDeliveries(tx, companyId, where);
      if (delivery === undefined) return null;
      const { body } = await tx.webhookEvent.findUniqueOrThrow({
        where: { companyId_id: { companyId, id: delivery.eventId } },
        select: { body: true },
      });
      return {
        ...delivery,
        body,
        attemptLog: await findLastAttempts(tx, companyId, delivery.id),
      };
    },
    { isolationLevel: 'RepeatableRead' },
  );
}

/** Reads the last attempts of a delivery, newest first. Attempts are numbered without gaps. */
async function findLastAttempts(
  tx: Transaction,
  companyId: number,
  deliveryId: bigint,
): Promise<WebhookAttemptRow[]> {
  const last = await tx.webhookAttempt.findFirst({
    where: { companyId, deliveryId },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  if (last === null) return [];
  // A bound on the number instead of a limit, because with a limit PostgreSQL may read and sort all attempts of the delivery.
  return tx.webhookAttempt.findMany({
    where: { companyId, deliveryId, number: { gt: last.number - MAX_ATTEMPTS } },
    orderBy: { number: 'desc' },
  });
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
      retryAfterSeconds: attempt.retryAfterSeconds,
      traceparent: attempt.traceparent,
    })),
  };
}
