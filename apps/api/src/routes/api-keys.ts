import { isStorable } from '@deal-signals/db/storable-text';
import { apiKey, findApiKeys, serializeApiKey } from '@deal-signals/serializers/management/api-key';
import { apiKeyExample } from '../openapi/examples/api-key.ts';
import { z } from 'zod';
import { mintApiKey } from '../auth/mint-api-key.ts';
import { invalidRequest, notFound } from '../http/errors.ts';
import { characterCount, integerInPath, integerPath, parseBody, parseQuery } from '../http/input.ts';
import { inManagementTransaction } from './management-transaction.ts';
import { integerCursors, integerPageParameters, pageOf, toPage } from '../http/pagination.ts';
import { type AdminRemoval, adminOperation } from '../http/route.ts';

const MOST_NAME_CHARACTERS = 120;
const MOST_ACTIVE_KEYS = 200;
const NAME_FORM = `must be text of 1 to ${MOST_NAME_CHARACTERS} characters, not all of them blank`;

/** The body of `POST /api-keys`. */
export const createApiKeyBody = z.object({
  name: z
    .string(NAME_FORM)
    .refine((name) => isStorable(name) && name.trim() !== '', NAME_FORM)
    .refine((name) => characterCount(name) <= MOST_NAME_CHARACTERS, NAME_FORM)
    .meta({ description: 'Says what the key is for', minLength: 1, maxLength: MOST_NAME_CHARACTERS }),
});

/** The query parameters of `GET /api-keys`. */
export const listApiKeysQuery = z.object(integerPageParameters);

/** `GET /api-keys`: the keys of the workspace, revoked ones too, in the order in which they were created. */
export const listApiKeys = adminOperation({
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List API keys',
  description:
    'The keys of the workspace, revoked ones too, in the order in which they were created. The keys themselves are not shown.',
  query: listApiKeysQuery,
  response: pageOf(apiKey),
  example: { data: [apiKeyExample], nextCursor: String(apiKeyExample.id), hasMore: false },
  async handler({ companyId, query }, { db }) {
    const { cursor = integerCursors.start, limit } = parseQuery(listApiKeysQuery, query);
    const rows = await findApiKeys(db, companyId, { after: integerCursors.read(cursor), limit: limit + 1 });
    return toPage(rows, limit, cursor, serializeApiKey, ({ id }) => String(id));
  },
});

/** `POST /api-keys`: mints a key that reads the workspace. The key itself is in this answer and nowhere else, ever. */
export const createApiKey = adminOperation({
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'The key itself is in this answer and never shown again. A workspace can have 200 active keys.',
  body: createApiKeyBody,
  bodyExample: { name: apiKeyExample.name },
  status: 201,
  response: z.object({
    key: z.string().meta({ description: 'The key itself: keep it secret, it cannot be shown again' }),
    data: apiKey,
  }),
  example: { key: 'dsk_live_ZxTH04NPLMQ6g9jRhP_xK1tRaIOFNtUBPcCgYX_EqyA', data: apiKeyExample },
  async handler(request, { db }) {
    const { companyId, session, body } = request;
    const { name } = parseBody(createApiKeyBody, body);
    const { key, prefix, hash } = mintApiKey();
    const row = await inManagementTransaction(db, request, async (tx) => {
      if ((await tx.apiKey.count({ where: { companyId, revokedAt: null } })) >= MOST_ACTIVE_KEYS) {
        throw invalidRequest(`name: the workspace has ${MOST_ACTIVE_KEYS} active keys, revoke one first`);
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

/** `DELETE /api-keys/{id}`: revokes a key. Every request looks its key up, so the next one is refused everywhere. */
export const revokeApiKey: AdminRemoval = {
  operationId: 'revokeApiKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'From the next request on the key is refused, for good. It stays in the list. Revoking it once more changes nothing.',
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
