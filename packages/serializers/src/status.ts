import { z } from 'zod';
import { dateTime } from './date-time.ts';

/** What a key holder sees of the service: the workspace, the key, the state of its webhooks and its limit. */
export const status = z
  .object({
    ok: z.boolean(),
    apiVersion: z.iso.date(),
    company: z.object({ id: z.int(), name: z.string() }),
    key: z.object({
      prefix: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      createdAt: dateTime,
      lastUsedAt: dateTime.nullable(),
    }),
    webhooks: z.object({
      endpoints: z.int(),
      enabledEndpoints: z.int(),
      pendingDeliveries: z.int(),
      deadDeliveries: z.int(),
      lastDeliveredAt: dateTime.nullable(),
    }),
    rateLimit: z.object({ perMinute: z.int() }),
  })
  .meta({ id: 'Status' });

/** The status response as the API shows it. */
export type Status = z.infer<typeof status>;
