import type { Transaction } from '@deal-signals/db/database';
import { isStorable } from '@deal-signals/db/storable-text';
import { webhookEndpointExample } from '@deal-signals/serializers/examples/webhook-endpoint';
import { serializeWebhookEndpoint, webhookEndpoint } from '@deal-signals/serializers/webhook-endpoint';
import { disableEndpoint, enableEndpoint, lockEndpoint } from '@deal-signals/webhooks/endpoint-state';
import { checkEndpointUrl } from '@deal-signals/webhooks/endpoint-url';
import { EVENT_TYPES, subscription } from '@deal-signals/webhooks/event-types';
import { encryptSigningSecret, mintSigningSecret } from '@deal-signals/webhooks/signing-secret';
import { z } from 'zod';
import { invalidRequest, notFound } from '../errors.ts';
import { characterCount, integerInPath, integerPath, parseBody } from '../input.ts';
import { adminOperation } from '../route.ts';
import { lockCompany } from '../workspace-quota.ts';

const MOST_ENDPOINTS = 100;
const MOST_DESCRIPTION_CHARACTERS = 500;
const DESCRIPTION_FORM = `must be text of at most ${MOST_DESCRIPTION_CHARACTERS} characters, or null`;
const EVENTS_FORM = `must be a list of at least one of ${subscription.options.join(', ')}`;
const DISABLED_BY_ADMIN = 'disabled by an admin';

/** What to send to an endpoint, without repetitions. `*` covers everything, so it stands alone. */
const events = z
  .array(z.enum(subscription.options, EVENTS_FORM), EVENTS_FORM)
  .min(1, EVENTS_FORM)
  .transform((names) => (names.includes('*') ? ['*'] : [...new Set<string>(names)]))
  .meta({ description: 'What to send: event types, or `*` for all of them, present and future' });

const description = z
  .string(DESCRIPTION_FORM)
  .refine((text) => isStorable(text) && characterCount(text) <= MOST_DESCRIPTION_CHARACTERS, DESCRIPTION_FORM)
  .meta({ maxLength: MOST_DESCRIPTION_CHARACTERS })
  .nullable()
  .meta({ description: 'For people' });

const url = z
  .string('must be an absolute https URL')
  .refine(isStorable, 'must not contain NUL or unpaired surrogates')
  .meta({
    description: 'Absolute https URL of a public host, without credentials in it',
    format: 'uri',
    pattern: '^https:',
  });

/** The body of `POST /webhooks`. */
export const createWebhookBody = z.object({ url, events, description: description.default(null) });

/** The body of `PATCH /webhooks/{id}`. */
export const updateWebhookBody = z
  .object({
    url: url.optional(),
    events: events.optional(),
    description: description.optional(),
    enabled: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Whether it gets deliveries' }),
  })
  .meta({ minProperties: 1 });

/** `GET /webhooks`: all endpoints of the workspace, oldest first, and what one may subscribe to. */
export const listWebhooks = adminOperation({
  operationId: 'listWebhooks',
  tag: 'Webhook endpoints',
  summary: 'List webhook endpoints',
  description: 'All endpoints of the workspace, oldest first, and the event types one may subscribe to.',
  response: z.object({
    data: z.array(webhookEndpoint),
    eventTypes: z.array(z.string()).meta({ description: 'What one may subscribe to' }),
  }),
  example: { data: [webhookEndpointExample], eventTypes: [...EVENT_TYPES] },
  async handler({ companyId }, { db }) {
    const rows = await db.webhookEndpoint.findMany({ where: { companyId }, orderBy: { id: 'asc' } });
    return { data: rows.map(serializeWebhookEndpoint), eventTypes: [...EVENT_TYPES] };
  },
});

/** `POST /webhooks`: registers an endpoint. Its signing secret is in this answer and never shown again. */
export const createWebhook = adminOperation({
  operationId: 'createWebhook',
  tag: 'Webhook endpoints',
  summary: 'Register a webhook endpoint',
  description:
    'The signing secret is in this answer and never shown again. A workspace can have 100 endpoints.',
  body: createWebhookBody,
  bodyExample: {
    url: webhookEndpointExample.url,
    events: ['*'],
    description: webhookEndpointExample.description,
  },
  status: 201,
  response: z.object({
    secret: z
      .string()
      .meta({ description: 'Signs the deliveries: keep it secret, it cannot be shown again' }),
    data: webhookEndpoint,
  }),
  example: { secret: 'whsec__ZRKYo4rwYw_Cs1DJOl9IWrdhLwXZcSC92cvS5pDsR0', data: webhookEndpointExample },
  async handler({ companyId, body }, { db, settings }) {
    const fields = parseBody(createWebhookBody, body);
    requireCallableUrl(fields.url, settings.allowedPrivateHosts);
    const secret = mintSigningSecret();
    const secretCiphertext = encryptSigningSecret(settings.secretsKey, companyId, secret);
    const row = await db.$transaction(async (tx) => {
      await lockCompany(tx, companyId);
      if ((await tx.webhookEndpoint.count({ where: { companyId } })) >= MOST_ENDPOINTS) {
        throw invalidRequest(`url: the workspace has ${MOST_ENDPOINTS} endpoints already`);
      }
      return tx.webhookEndpoint.create({ data: { companyId, ...fields, secretCiphertext } });
    });
    return { secret, data: serializeWebhookEndpoint(row) };
  },
});

/** `PATCH /webhooks/{id}`: changes what is sent, enables or disables. */
export const updateWebhook = adminOperation({
  operationId: 'updateWebhook',
  tag: 'Webhook endpoints',
  summary: 'Change, enable or disable a webhook endpoint',
  description:
    'Takes any of the fields, at least one. Re-enabling forgets the failures so far and makes everything due that waited meanwhile.',
  params: integerPath,
  body: updateWebhookBody,
  bodyExample: { enabled: true },
  response: z.object({ data: webhookEndpoint }),
  example: { data: webhookEndpointExample },
  async handler({ companyId, params, body }, { db, settings }) {
    const id = integerInPath(params['id']);
    const { enabled, ...fields } = parseBody(updateWebhookBody, body);
    if (enabled === undefined && Object.keys(fields).length === 0) {
      throw invalidRequest('body: must have at least one of url, events, description, enabled');
    }
    if (fields.url !== undefined) requireCallableUrl(fields.url, settings.allowedPrivateHosts);
    const row = await db.$transaction(async (tx) => {
      if ((await lockEndpoint(tx, companyId, id)) === null) throw notFound();
      if (enabled !== undefined) await setEnabled(tx, companyId, id, enabled);
      return tx.webhookEndpoint.update({ where: { companyId_id: { companyId, id } }, data: fields });
    });
    return { data: serializeWebhookEndpoint(row) };
  },
});

async function setEnabled(tx: Transaction, companyId: number, id: number, enabled: boolean): Promise<void> {
  if (enabled) await enableEndpoint(tx, companyId, id);
  else await disableEndpoint(tx, companyId, id, DISABLED_BY_ADMIN);
}

/** @throws ApiError INVALID_REQUEST for a URL to which nothing may be sent. */
function requireCallableUrl(raw: string, allowedPrivateHosts: ReadonlySet<string>): void {
  const check = checkEndpointUrl(raw, allowedPrivateHosts);
  if (!check.ok) throw invalidRequest(`url: ${check.reason}`);
}
