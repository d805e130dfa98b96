import { isStorable } from '@deal-signals/db/storable-text';
import { apiKey, findApiKeys, serializeApiKey } from '@deal-signals/serializers/management/api-key';
import { z } from 'zod';
import { mintApiKey } from '../auth/mint-api-key.ts';
import { invalidRequest, notFound } from '../http/errors.ts';
import { characterCount, integerInPath, integerPath, parseBody, parseQuery } from '../http/input.ts';
import { integerCursors, integerPageParameters, pageOf, toPage } from '../http/pagination.ts';
import { type AdminRemoval, adminOperation } from '../http/route.ts';
import { apiKeyExample } from '../openapi/examples/api-key.ts';
import { inManagementTransaction } from './management-transaction.ts';

const MOST_NAME_CHARACTERS = 120;
const MOST_ACTIVE_KEYS = 200;
const NAME_FORM = `must be a string of 1 to ${MOST_NAME_CHARACTERS} characters that is not blank`;

/** The body of `POST /api-keys`. */
export const createApiKeyBody = z.object({
  name: z
    .string(NAME_FORM)
    .refine((name) => isStorable(name) && name.trim() !== '', NAME_FORM)
    .refine((name) => characterCount(name) <= MOST_NAME_CHARACTERS, NAME_FORM)
    .meta({ description: 'What the key is for', minLength: 1, maxLength: MOST_NAME_CHARACTERS }),
});

/** The query parameters of `GET /api-keys`. */
export const listApiKeysQuery = z.object(integerPageParameters);

/** `GET /api-keys`: the keys of the workspace, including revoked ones, in the order they were created. */
export const listApiKeys = adminOperation({
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List API keys',
  description:
    'Returns the records of all API keys of the workspace, including revoked ones, in the order they were created. The keys themselves are never returned.',
  query: listApiKeysQuery,
  response: pageOf(apiKey),
  example: { data: [apiKeyExample], nextCursor: String(apiKeyExample.id), hasMore: false },
  async handler({ companyId, query }, { db }) {
    const { cursor = integerCursors.start, limit } = parseQuery(listApiKeysQuery, query);
    const rows = await findApiKeys(db, companyId, { after: integerCursors.read(cursor), limit: limit + 1 });
    return toPage(rows, limit, cursor, serializeApiKey, ({ id }) => String(id));
  },
});

/** `POST /api-keys`: creates a key that can read the workspace. No other response ever contains the key itself. */
export const createApiKey = adminOperation({
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'Creates a key that can read the workspace. The key itself is in this response and is never shown again. A workspace can have at most 200 active keys.',
  body: createApiKeyBody,
  bodyExample: { name: apiKeyExample.name },
  status: 201,
  response: z.object({
    key: z.string().meta({ description: 'The key itself. Store it securely: it cannot be shown again' }),
    data: apiKey,
  }),
  example: { key: 'dsk_live_ZxTH04NPLMQ6g9jRhP_xK1tRaIOFNtUBPcCgYX_EqyA', data: apiKeyExample },
  async handler(request, { db }) {
    const { companyId, session, body } = request;
    const { name } = parseBody(createApiKeyBody, body);
    const { key, prefix, hash } = mintApiKey();
    const row = await inManagementTransaction(db, request, async (tx) => {
      if ((await tx.apiKey.count({ where: { companyId, revokedAt: null } })) >= MOST_ACTIVE_KEYS) {
        throw invalidRequest(
          `name: the workspace already has ${MOST_ACTIVE_KEYS} active keys; revoke one first`,
        );
      }
      const created = await tx.apiKey.create({
        data: { companyId, name, prefix, keyHash: hash, scopes: ['read'], createdByUserId: session.userId },
      });
      return {
        result: created,
        audit: {
          action: 'api_key.created',
          objectType: 'api_key',
          objectId: created.id,
          details: { name, prefix },
        },
      };
    });
    return { key, data: serializeApiKey(row) };
  },
});

/** `DELETE /api-keys/{id}`: revokes a key. Every request looks up its key, so the next one is already refused. */
export const revokeApiKey: AdminRemoval = {
  operationId: 'revokeApiKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently: every later request with it is refused. The key stays in the list. Revoking it again has no effect.',
  params: integerPath,
  status: 204,
  async handler(request, { db }) {
    const { companyId, params } = request;
    const id = integerInPath(params['id']);
    await inManagementTransaction(db, request, async (tx) => {
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
