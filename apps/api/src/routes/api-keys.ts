import { isStorable } from '@deal-signals/db/storable-text';
import { apiKey, serializeApiKey } from '@deal-signals/serializers/api-key';
import { apiKeyExample } from '@deal-signals/serializers/examples/api-key';
import { z } from 'zod';
import { mintApiKey } from '../auth/mint-api-key.ts';
import { invalidRequest } from '../errors.ts';
import { characterCount, parseBody } from '../input.ts';
import { adminOperation } from '../route.ts';
import { lockCompany } from '../workspace-quota.ts';

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
  async handler({ companyId, session, body }, { db }) {
    const { name } = parseBody(createApiKeyBody, body);
    const { key, prefix, hash } = mintApiKey();
    const row = await db.$transaction(async (tx) => {
      await lockCompany(tx, companyId);
      if ((await tx.apiKey.count({ where: { companyId, revokedAt: null } })) >= MOST_ACTIVE_KEYS) {
        throw invalidRequest(`name: the workspace has ${MOST_ACTIVE_KEYS} active keys, revoke one first`);
      }
      return tx.apiKey.create({
        data: { companyId, name, prefix, keyHash: hash, scopes: ['read'], createdByUserId: session.userId },
      });
    });
    return { key, data: serializeApiKey(row) };
  },
});
