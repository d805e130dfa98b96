import { z } from 'zod';
import { durationMs } from './delivery-detail.ts';

/** The outcome of a test event to a URL that belongs to no endpoint. */
export const webhookUrlTest = z
  .object({
    eventId: z.guid().meta({ description: 'The `id` of the envelope that was sent' }),
    delivered: z.boolean().meta({ description: 'Whether the response was a 2xx' }),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the response; null if there was none' }),
    error: z.string().nullable().meta({ description: 'Why the test failed; null if it succeeded' }),
    durationMs,
    responseExcerpt: z.string().nullable().meta({
      description:
        'The first KiB of the response body; null if there was no response, or if the request had custom headers, which a response may repeat',
    }),
    traceparent: z.string().meta({ description: 'The `traceparent` header that was sent' }),
  })
  .meta({ id: 'WebhookUrlTest' });

/** The outcome of the test of a URL in the API. */
export type WebhookUrlTest = z.infer<typeof webhookUrlTest>;
