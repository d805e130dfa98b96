import type { ApiKey as ApiKeyRow } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from './date-time.ts';

/** An API key's record; the key itself is shown once, when it is minted. */
export const apiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key, to recognise it by' }),
    scopes: z.array(z.string()),
    createdAt: dateTime,
    lastUsedAt: dateTime.nullable(),
    revokedAt: dateTime.nullable(),
    createdByUserId: z.int().nullable(),
  })
  .meta({ id: 'ApiKey' });

/** An API key's record as the API shows it. */
export type ApiKey = z.infer<typeof apiKey>;

/** Builds the API object of a key's record. */
export function serializeApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: dateTimeOrNull(row.lastUsedAt),
    revokedAt: dateTimeOrNull(row.revokedAt),
    createdByUserId: row.createdByUserId,
  };
}
