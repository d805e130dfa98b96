import { isStorable } from '@deal-signals/db/storable-text';
import { type ApiKey, serializeApiKey } from '@deal-signals/serializers/api-key';
import { z } from 'zod';
import { mintApiKey } from '../auth/mint-api-key.ts';
import { invalidRequest } from '../errors.ts';
import { characterCount, parseBody } from '../input.ts';
import type { AdminRequest, Dependencies } from '../route.ts';
import { lockCompany } from '../workspace-quota.ts';

const MOST_NAME_CHARACTERS = 120;
const MOST_ACTIVE_KEYS = 200;
const NAME_FORM = `must be text of 1 to ${MOST_NAME_CHARACTERS} characters, not all of them blank`;

/** The body of `POST /api-keys`. */
export const createApiKeyBody = z.object({
  name: z
    .string(NAME_FORM)
    .refine((name) => isStorable(name) && name.trim() !== '', NAME_FORM)
    .refine((name) => characterCount(name) <= MOST_NAME_CHARACTERS, NAME_FORM),
});

/** `POST /api-keys`: mints a key that reads the workspace. The key itself is in this answer and nowhere else, ever. */
export async function createApiKey(
  { companyId, session, body }: AdminRequest,
  { db }: Dependencies,
): Promise<{ key: string; data: ApiKey }> {
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
}
