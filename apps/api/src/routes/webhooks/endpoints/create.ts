import { encryptSigningSecret, generateSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { serializeWebhookEndpoint, webhookEndpoint } from '@deal-signals/serializers/webhooks/endpoint';
import { z } from 'zod';
import { webhookEndpointExample } from '@deal-signals/serializers/examples/webhooks/webhook-endpoint';
import { requireScopesOfEvents } from '../../../auth/event-scopes.ts';
import { invalidState } from '../../../http/errors.ts';
import { managementOperation } from '../../../http/route.ts';
import { WEBHOOK_CALLBACKS } from '../../../openapi/webhooks.ts';
import { inManagementTransaction } from '../../management-transaction.ts';
import { changeHeaders, newHeaders } from '../custom-headers.ts';
import {
  description,
  events,
  filter,
  honorRetryAfter,
  hostOf,
  maxPerMinute,
  requireCallableUrl,
  secretShownOnce,
  toColumn,
  url,
} from './fields.ts';
import { WITH_RATE_LIMIT } from './find.ts';

/** Maximum number of endpoints of a workspace. */
export const MAX_ENDPOINTS = 100;

/** The body of `POST /webhooks`. */
const createWebhookBody = z.object({
  url,
  events,
  filter: filter.default(null),
  description: description.default(null),
  headers: newHeaders.optional(),
  maxPerMinute: maxPerMinute.default(null),
  honorRetryAfter: honorRetryAfter.default(false),
});

/** `POST /webhooks`: registers an endpoint. Its signing secret is in this response and is never shown again. */
export const createWebhook = managementOperation({
  operationId: 'createWebhook',
  tag: 'Webhook endpoints',
  summary: 'Register a webhook endpoint',
  description:
    'Registers a URL to send events to. The signing secret is in this response and is never shown again. An API key can subscribe to what its scopes let it read, and `*` requires `read`. A workspace can have at most 100 endpoints; a further one is rejected with `INVALID_STATE`. Where verification is required, `awaitingVerification` is true, and deliveries wait with `nextAttemptAt` null until a test event (`pingWebhook`) succeeds.',
  body: createWebhookBody,
  bodyExample: {
    url: webhookEndpointExample.url,
    events: ['*'],
    description: webhookEndpointExample.description,
  },
  callbacks: WEBHOOK_CALLBACKS,
  errors: ['INVALID_STATE'],
  status: 201,
  response: z.object({ secret: secretShownOnce, data: webhookEndpoint }),
  example: { secret: 'whsec_04ejDR90gMB0ypQXPgysLokdEb4o6h3IaAS+s1mrHOU=', data: webhookEndpointExample },
  async handler(request, { db, settings }) {
    const { companyId, key } = request;
    const { headers = {}, maxPerMinute: rateLimit, filter: condition, ...fields } = request.body;
    requireCallableUrl(fields.url, settings.webhooks);
    if (key !== null) requireScopesOfEvents(key.scopes, fields.events);
    const { row: headersRow } = changeHeaders(
      settings.webhooks.secretKeys,
      companyId,
      { headersCiphertext: null },
      headers,
    );
    const secret = generateSigningSecret();
    const secretCiphertext = encryptSigningSecret(settings.webhooks.secretKeys, companyId, secret);
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      if ((await tx.webhookEndpoint.count({ where: { companyId, removedAt: null } })) >= MAX_ENDPOINTS) {
        throw invalidState(`the workspace already has ${MAX_ENDPOINTS} endpoints; remove one first`);
      }
      const created = await tx.webhookEndpoint.create({
        data: {
          companyId,
          ...fields,
          filter: toColumn(condition),
          ...headersRow,
          secretCiphertext,
          ownerKeyId: key?.originId ?? null,
          awaitingVerification: settings.webhooks.verifyEndpoints,
          ...(rateLimit !== null && { rateLimit: { create: { maxPerMinute: rateLimit } } }),
        },
        include: WITH_RATE_LIMIT,
      });
      return {
        result: created,
        audit: {
          action: 'webhook.created',
          objectType: 'webhook',
          objectId: created.id,
          details: {
            host: hostOf(fields.url),
            events: fields.events,
            ...(condition !== null && { hasFilter: true }),
            ...(rateLimit !== null && { maxPerMinute: rateLimit }),
            ...(fields.honorRetryAfter && { honorRetryAfter: true }),
            ...(headersRow.headerNames.length > 0 && { headersSet: headersRow.headerNames }),
          },
        },
      };
    });
    request.addLogFields({ endpointId: row.id });
    return { secret, data: serializeWebhookEndpoint(row) };
  },
});
