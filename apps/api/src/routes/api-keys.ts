import type { Transaction } from '@deal-signals/db/database';
import { isStorable } from '@deal-signals/db/storable-text';
import { dateTimeInput, dateTimeOrNull } from '@deal-signals/serializers/date-time';
import {
  type ApiKeyRow,
  apiKey,
  findApiKeys,
  serializeApiKey,
} from '@deal-signals/serializers/management/api-key';
import { z } from 'zod';
import { SCOPES } from '@deal-signals/serializers/management/scopes';
import { apiKeyExample } from '@deal-signals/serializers/examples/api-key';
import { type GeneratedKey, generateApiKey } from '../auth/generate-api-key.ts';
import { isNetwork, NETWORK_PATTERN } from '../auth/networks.ts';
import { invalidState, notFound, rateLimited } from '../http/errors.ts';
import { characterCount, integerPath, overlapSeconds, someOf } from '../http/input.ts';
import { integerCursors, integerPageParameters, pageOf, toPage } from '../http/pagination.ts';
import { adminOperation, type AdminRequest, type Removal } from '../http/route.ts';
import { inManagementTransaction } from './management-transaction.ts';

/** Maximum length of the name of a key. */
export const MAX_NAME_CHARACTERS = 120;
/** Maximum number of active keys of a workspace. */
export const MAX_ACTIVE_KEYS = 200;
/** Maximum number of networks of a key. */
export const MAX_NETWORKS = 50;
const NETWORKS_MESSAGE = `must be an array of 1 to ${MAX_NETWORKS} IP addresses or networks in CIDR notation, or null`;
const NAME_MESSAGE = `must be a string of 1 to ${MAX_NAME_CHARACTERS} characters that is not blank`;

const futureDateTime = dateTimeInput.refine((at) => at.getTime() > Date.now(), 'must be in the future');

/** The body of `POST /api-keys`. */
const createApiKeyBody = z.object({
  name: z
    .string(NAME_MESSAGE)
    .refine((name) => isStorable(name) && name.trim() !== '', NAME_MESSAGE)
    .refine((name) => characterCount(name) <= MAX_NAME_CHARACTERS, NAME_MESSAGE)
    .meta({
      description: 'What the key is for',
      minLength: 1,
      maxLength: MAX_NAME_CHARACTERS,
      pattern: '^[^\\x00]*[^\\x00\\s][^\\x00]*$',
    }),
  expiresAt: futureDateTime
    .nullable()
    .default(null)
    .meta({ description: 'When the key stops working; null for never' }),
  scopes: someOf(SCOPES).default(['read']).meta({
    description:
      'What the key may do: `read` for everything or kinds of feeds, and `webhooks` to manage its own webhook endpoints, which no other scope includes',
  }),
  allowedNetworks: z
    .array(
      z.string(NETWORKS_MESSAGE).refine(isNetwork, NETWORKS_MESSAGE).meta({ pattern: NETWORK_PATTERN }),
      NETWORKS_MESSAGE,
    )
    .min(1, NETWORKS_MESSAGE)
    .max(MAX_NETWORKS, NETWORKS_MESSAGE)
    .nullable()
    .default(null)
    .meta({
      description: 'The networks that the key may be used from, in CIDR notation; null for all',
      example: ['192.0.2.0/24'],
    }),
});

/** The body of `POST /api-keys/{id}/rotate`. */
const rotateApiKeyBody = z.object({
  overlapSeconds: overlapSeconds.meta({ description: 'How long the old key continues to work' }),
  expiresAt: futureDateTime.nullable().optional().meta({
    description: 'When the new key stops working; null for never. By default the expiry of the old key',
  }),
});

const keyShownOnce = z
  .string()
  .meta({ description: 'The key itself. Store it securely: it cannot be shown again' });

/** `GET /api-keys`: the keys of the workspace, including revoked ones, in the order they were created. */
export const listApiKeys = adminOperation({
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List API keys',
  description:
    'Returns the records of all API keys of the workspace, including revoked ones, in the order they were created. The keys themselves are never returned.',
  query: z.object(integerPageParameters),
  response: pageOf(apiKey),
  example: { data: [apiKeyExample], nextCursor: String(apiKeyExample.id), hasMore: false },
  async handler({ companyId, query }, { db }) {
    const { cursor = integerCursors.start, limit } = query;
    const rows = await findApiKeys(db, companyId, { after: integerCursors.read(cursor), limit: limit + 1 });
    return toPage(rows, limit, cursor, serializeApiKey, ({ id }) => String(id));
  },
});

/** `POST /api-keys`: creates a key. No other response ever contains the key itself. */
export const createApiKey = adminOperation({
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'Creates a key that can read the workspace, or only what its `scopes` allow. With the scope `webhooks`, it can also register webhook endpoints for what it may read, and list, test and remove those that it registered itself. The key itself is in this response and is never shown again. A workspace can have at most 200 active keys (a further one is rejected with `INVALID_STATE`), and create at most 400 keys in 24 hours, including rotations.',
  body: createApiKeyBody,
  bodyExample: { name: apiKeyExample.name },
  errors: ['INVALID_STATE'],
  status: 201,
  response: z.object({
    key: keyShownOnce,
    data: apiKey,
  }),
  example: { key: 'dsk_live_ZxTH04NPLMQ6g9jRhP_xK1tRaIOFNtUBPcCgYX_EqyA', data: apiKeyExample },
  async handler(request, { db, settings }) {
    const { companyId, session, body: fields } = request;
    const minted = generateApiKey();
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      await requireRoomForKey(tx, companyId, settings.keysPerDay);
      const created = await storeKey(tx, minted, {
        companyId,
        ...fields,
        allowedNetworks: fields.allowedNetworks ?? [],
        createdByUserId: session.userId,
        originId: null,
      });
      return {
        result: created,
        audit: {
          action: 'api_key.created',
          objectType: 'api_key',
          objectId: created.id,
          details: { name: fields.name, prefix: minted.prefix, ...powersOf(created) },
        },
      };
    });
    return { key: minted.key, data: serializeApiKey(row) };
  },
});

/** `DELETE /api-keys/{id}`: revokes a key. Every request looks up its key, so the next one is rejected. */
export const revokeApiKey: Removal<AdminRequest, typeof integerPath> = {
  operationId: 'revokeApiKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently: every later request with it is rejected. The key stays in the list. Revoking it again has no effect.',
  params: integerPath,
  status: 204,
  async handler(request, { db }) {
    const { companyId } = request;
    const { id } = request.params;
    await inManagementTransaction(db, request, async ({ tx }) => {
      const key = await tx.apiKey.findFirst({ where: { companyId, id }, select: { revokedAt: true } });
      if (key === null) throw notFound();
      if (key.revokedAt !== null) return { result: undefined, audit: null };
      await tx.$executeRaw`UPDATE api_keys SET revoked_at = clock_timestamp() WHERE company_id = ${companyId} AND id = ${id}`;
      return {
        result: undefined,
        audit: { action: 'api_key.revoked', objectType: 'api_key', objectId: id },
      };
    });
  },
};

/** `POST /api-keys/{id}/rotate`: replaces a key with a new one. */
export const rotateApiKey = adminOperation({
  operationId: 'rotateApiKey',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Creates a key with the name, scopes, networks and webhook endpoints of this one. This one is revoked, or with `overlapSeconds` continues to work for that long. The new key is in this response and is never shown again. A key that was revoked or already rotated, or has expired, is rejected with `INVALID_STATE`.',
  params: integerPath,
  body: rotateApiKeyBody,
  bodyExample: { overlapSeconds: 3600 },
  isBodyOptional: true,
  status: 201,
  response: z.object({ key: keyShownOnce, data: apiKey }),
  example: {
    key: 'dsk_live_5Wc8yqQm3hJ0nVtR2eZ7aLxKfB9uDgS4iPoT6rYvXkE',
    data: { ...apiKeyExample, id: 2, prefix: 'dsk_live_5Wc8' },
  },
  errors: ['INVALID_STATE'],
  async handler(request, { db, settings }) {
    const { companyId, session } = request;
    const { id } = request.params;
    const { overlapSeconds: overlap, expiresAt } = request.body;
    const minted = generateApiKey();
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      const old = await tx.apiKey.findFirst({ where: { companyId, id } });
      if (old === null) throw notFound();
      if (!(await endKey(tx, companyId, id, overlap))) {
        throw invalidState('the API key was revoked or rotated, or has expired; create a new one');
      }
      await requireRoomForKey(tx, companyId, settings.keysPerDay);
      const created = await storeKey(tx, minted, {
        companyId,
        name: old.name,
        scopes: old.scopes,
        allowedNetworks: old.allowedNetworks,
        expiresAt: expiresAt === undefined ? old.expiresAt : expiresAt,
        createdByUserId: session.userId,
        originId: old.originId ?? old.id,
      });
      return {
        result: created,
        audit: {
          action: 'api_key.rotated',
          objectType: 'api_key',
          objectId: id,
          details: {
            newKeyId: created.id,
            prefix: minted.prefix,
            overlapSeconds: overlap,
            ...powersOf(created),
            oldExpiresAt: dateTimeOrNull(old.expiresAt),
          },
        },
      };
    });
    return { key: minted.key, data: serializeApiKey(row) };
  },
});

/**
 * Marks a key as rotated and revokes it, or lets it expire after an overlap.
 *
 * @returns false if it was not active, or had already been rotated.
 */
async function endKey(tx: Transaction, companyId: number, id: number, overlap: number): Promise<boolean> {
  const ended = await tx.$executeRaw`
    UPDATE api_keys
    SET rotated_at = clock_timestamp(),
        revoked_at = CASE WHEN ${overlap}::int = 0 THEN clock_timestamp() END,
        expires_at = CASE WHEN ${overlap}::int = 0 THEN expires_at
          ELSE least(expires_at, clock_timestamp() + ${overlap}::int * interval '1 second') END
    WHERE company_id = ${companyId} AND id = ${id} AND revoked_at IS NULL AND rotated_at IS NULL
      AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
  return ended === 1;
}

/** Returns the permissions and the expiry of a key for the audit log. A rotation does not change its scopes and networks. */
function powersOf(row: ApiKeyRow) {
  const { scopes, allowedNetworks, expiresAt } = serializeApiKey(row);
  return { scopes, allowedNetworks, expiresAt };
}

function storeKey(
  tx: Transaction,
  { prefix, hash }: GeneratedKey,
  fields: Pick<ApiKeyRow, 'name' | 'scopes' | 'allowedNetworks' | 'expiresAt' | 'createdByUserId'> & {
    companyId: number;
    originId: number | null;
  },
): Promise<ApiKeyRow> {
  return tx.apiKey.create({ data: { ...fields, prefix, keyHash: hash } });
}

/**
 * Checks that a workspace may have one more key. The caller holds the feed clock, so the counts stay true until it commits. Keys
 * are never deleted, so the daily limit of new keys bounds the growth of their table.
 *
 * @throws ApiError INVALID_STATE if there are too many active keys; RATE_LIMITED if there are too many new ones.
 */
async function requireRoomForKey(tx: Transaction, companyId: number, keysPerDay: number): Promise<void> {
  const [{ active }] = await tx.$queryRaw<[{ active: number }]>`
    SELECT count(*)::int AS active FROM api_keys
    WHERE company_id = ${companyId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
  if (active >= MAX_ACTIVE_KEYS) {
    throw invalidState(`the workspace already has ${MAX_ACTIVE_KEYS} active keys; revoke one first`);
  }
  const [oldest] = await tx.$queryRaw<{ waitSeconds: number }[]>`
    SELECT ceil(extract(epoch FROM created_at + interval '1 day' - clock_timestamp()))::int AS "waitSeconds"
    FROM api_keys
    WHERE company_id = ${companyId}
    ORDER BY id DESC OFFSET ${keysPerDay - 1} LIMIT 1`;
  if (oldest !== undefined && oldest.waitSeconds > 0) {
    const message = `more than ${keysPerDay} new API keys in the workspace in 24 hours`;
    throw rateLimited(message, oldest.waitSeconds);
  }
}
