import type { Transaction } from '@deal-signals/db/database';
import { NO_ID, testUrl } from '@deal-signals/deliveries/admin-actions/url-test';
import { decryptSigningSecret, generateSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { webhookUrlTest } from '@deal-signals/serializers/webhooks/url-test';
import { z } from 'zod';
import { webhookUrlTestExample } from '@deal-signals/serializers/examples/webhooks/webhook-url-test';
import { notFound, unavailable } from '../../http/errors.ts';
import { countPing } from '../../http/limits/rate-limit.ts';
import { adminOperation } from '../../http/route.ts';
import { inManagementTransaction } from '../management-transaction.ts';
import { changeHeaders, newHeaders } from './custom-headers.ts';
import { hostOf, requireCallableUrl, url } from './endpoints/fields.ts';

const MAX_ID = 2_147_483_647;
const ID_MESSAGE = 'must be the id of an endpoint';

/** The body of `POST /webhooks/test`. */
const testWebhookUrlBody = z.object({
  url,
  endpointId: z.int(ID_MESSAGE).min(1, ID_MESSAGE).max(MAX_ID, ID_MESSAGE).optional().meta({
    description: 'The endpoint that the URL is meant for: its signing secret then signs the request',
  }),
  headers: newHeaders.optional(),
});

/** The signing secrets of an endpoint. */
interface EndpointSecrets {
  url: string;
  secretCiphertext: Uint8Array;
  previousSecretCiphertext: Uint8Array | null;
  headersCiphertext: Uint8Array<ArrayBuffer> | null;
}

/** `POST /webhooks/test`: sends a test event to a URL before an endpoint uses it, and responds with the outcome. */
export const testWebhookUrl = adminOperation({
  operationId: 'testWebhookUrl',
  tag: 'Webhook endpoints',
  summary: 'Send a test event to a URL',
  description:
    'Sends one signed `integration.ping` event to a URL, which need not belong to an endpoint, and responds when the outcome is known. If the test fails, the response is still 200, and `error` contains the reason. With `endpointId`, the request is signed like deliveries of that endpoint, and `secret` is null; its custom headers are sent if the URL is its own. Without it, the request is signed with a new secret that is used only once and returned as `secret`, so that you can verify what arrived. `X-Service-Delivery` is `0`, and so is `endpointId` in `data` if none was given. The test changes nothing: it is not in the delivery log, and neither verifies nor disables an endpoint. The rules for URLs, the limit of 10 tests a minute and the errors are the same as for `pingWebhook`.',
  body: testWebhookUrlBody,
  bodyExample: { url: 'https://hooks.crm.example/deal-signals/v2' },
  response: z.object({
    secret: z.string().nullable().meta({
      description: 'The secret that signed only this request; null if an endpoint was given',
    }),
    data: webhookUrlTest,
  }),
  example: { secret: 'whsec_WWJu3iFp/x3ddS2j+EATlcnn4xuENmaFWD8PzoGlGrg=', data: webhookUrlTestExample },
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
  async handler(request, { db, sender, settings, logger, rateLimits }) {
    const { companyId, requester, slot, addLogFields } = request;
    const { url: given, endpointId = null, headers = {} } = request.body;
    const keys = settings.webhooks.secretKeys;
    requireCallableUrl(given, settings.webhooks);
    // Checked before anything is counted or written, so that an invalid request costs nothing.
    changeHeaders(keys, companyId, { headersCiphertext: null }, headers);
    if (endpointId !== null) addLogFields({ endpointId });
    await countPing(rateLimits.pings, companyId);
    const endpoint = await inManagementTransaction(db, request, async ({ tx }) => ({
      result: endpointId === null ? null : await findSecrets(tx, companyId, endpointId),
      audit: {
        action: 'webhook.url_tested',
        objectType: 'webhook',
        objectId: endpointId ?? NO_ID,
        details: { host: hostOf(given) },
      },
    }));
    const secret = endpoint === null ? generateSigningSecret() : null;
    const before = { headersCiphertext: endpoint?.url === given ? endpoint.headersCiphertext : null };
    const previous = endpoint?.previousSecretCiphertext ?? null;
    const outcome = await testUrl(
      { db, hold: (read) => slot.read(read), sender, settings: settings.webhooks, logger },
      {
        companyId,
        url: given,
        endpointId,
        secret: secret ?? decryptSigningSecret(keys, companyId, endpoint!.secretCiphertext),
        previousSecret: previous && decryptSigningSecret(keys, companyId, previous),
        customHeaders: changeHeaders(keys, companyId, before, headers).headers,
      },
      requester.requestId,
    );
    if (outcome === null) throw unavailable('the test was cut short before its outcome was known');
    addLogFields({ eventId: outcome.eventId });
    return { secret, data: outcome };
  },
});

/** @throws ApiError NOT_FOUND if the workspace has no such endpoint, or it was removed. */
async function findSecrets(tx: Transaction, companyId: number, id: number): Promise<EndpointSecrets> {
  const [endpoint] = await tx.$queryRaw<EndpointSecrets[]>`
    SELECT url, secret_ciphertext AS "secretCiphertext",
      CASE WHEN previous_secret_until > clock_timestamp() THEN previous_secret_ciphertext END
        AS "previousSecretCiphertext",
      headers_ciphertext AS "headersCiphertext"
    FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${id} AND removed_at IS NULL`;
  if (endpoint === undefined) throw notFound();
  return endpoint;
}
