import type { Queryable } from '@deal-signals/db/queryable';
import type { ApiKey as ApiKeyColumns } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';

/** The record of an API key. The key itself is shown only once, when it is created. */
export const apiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key, to identify it' }),
    scopes: z.array(z.string()).meta({
      description:
        'What the key may do: read everything (`read`) or kinds of feeds, such as `read:calls`, and manage its own webhook endpoints (`webhooks`)',
    }),
    createdAt: dateTime,
    lastUsedAt: dateTime.nullable(),
    revokedAt: dateTime.nullable(),
    expiresAt: dateTime.nullable().meta({ description: 'When the key stops working; null for never' }),
    allowedNetworks: z.array(z.string()).nullable().meta({
      description: 'The networks that the key may be used from, in CIDR notation; null for all',
    }),
    rotatedAt: dateTime.nullable().meta({ description: 'When a new key replaced this one' }),
    createdByUserId: z.int().nullable(),
  })
  .meta({ id: 'ApiKey' });

/** The record of an API key in the API. */
export type ApiKey = z.infer<typeof apiKey>;

/** The columns an API key object is built from. */
export type ApiKeyRow = Omit<ApiKeyColumns, 'companyId' | 'keyHash' | 'originId'>;

/**
 * Reads the API keys of one workspace, by id.
 *
 * @param after only keys with a greater id. A bigint, because cursors may be greater than any key's id.
 * @param limit maximum number of rows.
 */
export function findApiKeys(
  db: Queryable,
  companyId: number,
  { after, limit }: { after: bigint; limit: number },
): Promise<ApiKeyRow[]> {
  return db.$queryRaw<ApiKeyRow[]>`
    SELECT k.id, k.name, k.prefix, k.scopes, k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt",
           k.revoked_at AS "revokedAt", k.created_by_user_id AS "createdByUserId",
           k.expires_at AS "expiresAt", k.allowed_networks AS "allowedNetworks", k.rotated_at AS "rotatedAt"
    FROM api_keys k
    WHERE k.company_id = ${companyId} AND k.id > ${after}::bigint
    ORDER BY k.id LIMIT ${limit}`;
}

/** Builds the API object of an API key. */
export function serializeApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: dateTimeOrNull(row.lastUsedAt),
    revokedAt: dateTimeOrNull(row.revokedAt),
    expiresAt: dateTimeOrNull(row.expiresAt),
    allowedNetworks: row.allowedNetworks.length > 0 ? row.allowedNetworks : null,
    rotatedAt: dateTimeOrNull(row.rotatedAt),
    createdByUserId: row.createdByUserId,
  };
}
