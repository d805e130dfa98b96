import type { Transaction } from '@deal-signals/db/database';
import { encryptSigningSecret, generateSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { serializeWebhookEndpoint, webhookEndpoint } from '@deal-signals/serializers/webhooks/endpoint';
import { z } from 'zod';
import { webhookEndpointExample } from '@deal-signals/serializers/examples/webhooks/webhook-endpoint';
import { integerPath, overlapSeconds } from '../../../http/input.ts';
import { adminOperation } from '../../../http/route.ts';
import { inManagementTransaction } from '../../management-transaction.ts';
import { secretShownOnce } from './fields.ts';
import { lockPresent, WITH_RATE_LIMIT } from './find.ts';

/** The body of `POST /webhooks/{id}/rotate-secret`. */
const rotateWebhookSecretBody = z.object({
  overlapSeconds: overlapSeconds.meta({
    description: 'For how many seconds deliveries are also signed with the old secret; 0 by default',
  }),
});

/** `POST /webhooks/{id}/rotate-secret`: issues a new signing secret, which signs every attempt from now on. */
export const rotateWebhookSecret = adminOperation({
  operationId: 'rotateWebhookSecret',
  tag: 'Webhook endpoints',
  summary: 'Rotate the signing secret of a webhook endpoint',
  description:
    'Issues a new signing secret, which is in this response and is never shown again. It signs every attempt that starts from now on, including attempts of queued deliveries; the old secret is no longer used. With `overlapSeconds`, attempts are signed with both secrets for that time: `X-Service-Signature` and `webhook-signature` then have two values each, the first by the new secret and the second by the old one. Without an overlap, a delivery that the receiver rejects because it does not have the new secret yet is retried on the usual schedule.',
  params: integerPath,
  body: rotateWebhookSecretBody,
  bodyExample: { overlapSeconds: 3600 },
  isBodyOptional: true,
  response: z.object({ secret: secretShownOnce, data: webhookEndpoint }),
  example: { secret: 'whsec_TalTZinUmSEKxhsoLYS64oH5wOCSAowJnSO8GJ+kgAE=', data: webhookEndpointExample },
  async handler(request, { db, settings }) {
    const { companyId } = request;
    const { id } = request.params;
    const overlap = request.body.overlapSeconds;
    const secret = generateSigningSecret();
    const secretCiphertext = encryptSigningSecret(settings.webhooks.secretKeys, companyId, secret);
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      await lockPresent(tx, request, id);
      await keepSecret(tx, companyId, id, overlap);
      const updated = await tx.webhookEndpoint.update({
        where: { companyId_id: { companyId, id } },
        data: { secretCiphertext },
        include: WITH_RATE_LIMIT,
      });
      return {
        result: updated,
        audit: {
          action: 'webhook.secret_rotated',
          objectType: 'webhook',
          objectId: id,
          details: { overlapSeconds: overlap },
        },
      };
    });
    return { secret, data: serializeWebhookEndpoint(row) };
  },
});

/** Keeps the current secret of an endpoint as its previous one during the overlap. Without an overlap, no previous one is kept. */
async function keepSecret(tx: Transaction, companyId: number, id: number, overlap: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET previous_secret_ciphertext = CASE WHEN ${overlap} > 0 THEN secret_ciphertext END,
        previous_secret_until = CASE WHEN ${overlap} > 0
          THEN clock_timestamp() + ${overlap}::float8 * interval '1 second' END
    WHERE company_id = ${companyId} AND id = ${id}`;
}
