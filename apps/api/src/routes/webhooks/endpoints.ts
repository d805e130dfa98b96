import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '@deal-signals/db/database';
import { isStorable } from '@deal-signals/db/storable-text';
import { originOf } from '@deal-signals/deliveries/attempts/shown-error';
import {
  disableEndpoint,
  enableEndpoint,
  removeEndpoint,
  requireVerification,
} from '@deal-signals/deliveries/endpoints/change-state';
import { lockEndpoint } from '@deal-signals/deliveries/endpoints/endpoint-state';
import { MOST_PER_MINUTE, setPace } from '@deal-signals/deliveries/endpoints/pace';
import type { WebhookSettings } from '@deal-signals/deliveries/settings';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { checkEndpointUrl } from '@deal-signals/sending/endpoint-url';
import { encryptSigningSecret, mintSigningSecret } from '@deal-signals/sending/signing-secret';
import {
  serializeWebhookEndpoint,
  webhookEndpoint,
  type WebhookEndpointRow,
} from '@deal-signals/serializers/webhooks/endpoint';
import { z } from 'zod';
import { invalidRequest, notFound } from '../../http/errors.ts';
import { characterCount, integerInPath, integerPath, parseBody } from '../../http/input.ts';
import { type AdminRemoval, adminOperation } from '../../http/route.ts';
import { webhookEndpointExample } from '../../openapi/examples/webhook-endpoint.ts';
import { inManagementTransaction } from '../management-transaction.ts';
import { changeHeaders, headersChange, newHeaders } from './custom-headers.ts';

const MOST_ENDPOINTS = 100;
const MOST_DESCRIPTION_CHARACTERS = 500;
const DESCRIPTION_FORM = `must be a string of at most ${MOST_DESCRIPTION_CHARACTERS} characters, or null`;
/** What an endpoint can subscribe to: event type names, or `*` for all present and future types. */
const SUBSCRIPTIONS = [...EVENT_TYPES, '*'] as const;
const EVENTS_FORM = `must be an array of one or more of ${SUBSCRIPTIONS.join(', ')}`;
const MOST_OVERLAP_SECONDS = 604_800;
const OVERLAP_FORM = `must be a whole number from 0 to ${MOST_OVERLAP_SECONDS}`;
const PACE_FORM = `must be a whole number from 1 to ${MOST_PER_MINUTE}, or null`;
const DISABLED_BY_ADMIN = 'disabled by an admin';
const WITH_PACE = { pace: { select: { maxPerMinute: true } } } as const;

/** The event types an endpoint subscribes to, without duplicates. `*` covers all types, so it is stored alone. */
const events = z
  .array(z.enum(SUBSCRIPTIONS, EVENTS_FORM), EVENTS_FORM)
  .min(1, EVENTS_FORM)
  .transform((names) => (names.includes('*') ? ['*'] : [...new Set<string>(names)]))
  .meta({ description: 'Event types to send, or `*` for all present and future types' });

const description = z
  .string(DESCRIPTION_FORM)
  .refine((text) => isStorable(text) && characterCount(text) <= MOST_DESCRIPTION_CHARACTERS, DESCRIPTION_FORM)
  .meta({ maxLength: MOST_DESCRIPTION_CHARACTERS })
  .nullable()
  .meta({ description: 'Free text for your own use' });

/** The URL of an endpoint in the body of a request. Whether it may be called is for `requireCallableUrl` to check. */
export const url = z
  .string('must be an absolute https URL')
  .refine(isStorable, 'must not contain NUL or unpaired surrogates')
  .meta({
    description: 'Absolute https URL of a public host, without credentials',
    format: 'uri',
    pattern: '^https:',
  });

const maxPerMinute = z.int(PACE_FORM).min(1, PACE_FORM).max(MOST_PER_MINUTE, PACE_FORM).nullable().meta({
  description:
    'How many deliveries may be started in any minute, retries included; null for no such limit. What is beyond it stays due',
});

/** The body of `POST /webhooks`. */
export const createWebhookBody = z.object({
  url,
  events,
  description: description.default(null),
  headers: newHeaders.optional(),
  maxPerMinute: maxPerMinute.default(null),
});

/** The body of `PATCH /webhooks/{id}`. */
export const updateWebhookBody = z
  .object({
    url: url.optional(),
    events: events.optional(),
    description: description.optional(),
    headers: headersChange.optional(),
    maxPerMinute: maxPerMinute.optional(),
    enabled: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Whether events are sent to the endpoint' }),
  })
  .meta({ minProperties: 1 });

/** The body of `POST /webhooks/{id}/rotate-secret`. */
export const rotateWebhookSecretBody = z.object({
  overlapSeconds: z
    .int(OVERLAP_FORM)
    .min(0, OVERLAP_FORM)
    .max(MOST_OVERLAP_SECONDS, OVERLAP_FORM)
    .default(0)
    .meta({
      description: 'For how many seconds deliveries are also signed with the old secret; 0 by default',
    }),
});

const secretShownOnce = z
  .string()
  .meta({ description: 'The secret that signs deliveries. Store it securely: it cannot be shown again' });

/** `GET /webhooks`: all endpoints of the workspace, oldest first, and the event types they can subscribe to. */
export const listWebhooks = adminOperation({
  operationId: 'listWebhooks',
  tag: 'Webhook endpoints',
  summary: 'List webhook endpoints',
  description:
    'Returns all endpoints of the workspace, oldest first, and the event types an endpoint can subscribe to.',
  response: z.object({
    data: z.array(webhookEndpoint),
    eventTypes: z.array(z.string()).meta({ description: 'The event types an endpoint can subscribe to' }),
  }),
  example: { data: [webhookEndpointExample], eventTypes: [...EVENT_TYPES] },
  async handler({ companyId }, { db }) {
    const rows = await db.webhookEndpoint.findMany({
      where: { companyId, removedAt: null },
      orderBy: { id: 'asc' },
      include: WITH_PACE,
    });
    return { data: rows.map(serializeWebhookEndpoint), eventTypes: [...EVENT_TYPES] };
  },
});

/** `GET /webhooks/{id}`: one endpoint. */
export const getWebhook = adminOperation({
  operationId: 'getWebhook',
  tag: 'Webhook endpoints',
  summary: 'Get a webhook endpoint',
  params: integerPath,
  response: z.object({ data: webhookEndpoint }),
  example: { data: webhookEndpointExample },
  async handler({ companyId, params, note }, { db }) {
    const id = integerInPath(params['id']);
    note({ endpointId: id });
    const row = await findEndpoint(db, companyId, id);
    if (row === null) throw notFound();
    return { data: serializeWebhookEndpoint(row) };
  },
});

/** `POST /webhooks`: registers an endpoint. Its signing secret is in this response and is never shown again. */
export const createWebhook = adminOperation({
  operationId: 'createWebhook',
  tag: 'Webhook endpoints',
  summary: 'Register a webhook endpoint',
  description:
    'Registers a URL to send events to. The signing secret is in this response and is never shown again. A workspace can have at most 100 endpoints. Where verification is required, `awaitingVerification` is true, and deliveries wait with `nextAttemptAt` null until a test event (`pingWebhook`) succeeds.',
  body: createWebhookBody,
  bodyExample: {
    url: webhookEndpointExample.url,
    events: ['*'],
    description: webhookEndpointExample.description,
  },
  status: 201,
  response: z.object({ secret: secretShownOnce, data: webhookEndpoint }),
  example: { secret: 'whsec_04ejDR90gMB0ypQXPgysLokdEb4o6h3IaAS+s1mrHOU=', data: webhookEndpointExample },
  async handler(request, { db, settings }) {
    const { companyId, body } = request;
    const { headers = {}, maxPerMinute: pace, ...fields } = parseBody(createWebhookBody, body);
    requireCallableUrl(fields.url, settings.webhooks);
    const { row: headersRow } = changeHeaders(
      settings.webhooks.secretsKey,
      companyId,
      { headersCiphertext: null },
      headers,
    );
    const secret = mintSigningSecret();
    const secretCiphertext = encryptSigningSecret(settings.webhooks.secretsKey, companyId, secret);
    const row = await inManagementTransaction(db, request, async (tx) => {
      if ((await tx.webhookEndpoint.count({ where: { companyId, removedAt: null } })) >= MOST_ENDPOINTS) {
        throw invalidRequest(`url: the workspace already has ${MOST_ENDPOINTS} endpoints; remove one first`);
      }
      const created = await tx.webhookEndpoint.create({
        data: {
          companyId,
          ...fields,
          ...headersRow,
          secretCiphertext,
          awaitingVerification: settings.webhooks.verifyEndpoints,
          ...(pace !== null && { pace: { create: { maxPerMinute: pace } } }),
        },
        include: WITH_PACE,
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
            ...(pace !== null && { maxPerMinute: pace }),
            ...(headersRow.headerNames.length > 0 && { headersSet: headersRow.headerNames }),
          },
        },
      };
    });
    request.note({ endpointId: row.id });
    return { secret, data: serializeWebhookEndpoint(row) };
  },
});

/** `PATCH /webhooks/{id}`: changes, enables or disables an endpoint. */
export const updateWebhook = adminOperation({
  operationId: 'updateWebhook',
  tag: 'Webhook endpoints',
  summary: 'Change, enable or disable a webhook endpoint',
  description:
    'Changes the given fields; at least one is required. Nothing is sent to a disabled endpoint: its pending deliveries wait with `nextAttemptAt` null. Re-enabling it resets `consecutiveFailures` and makes the waiting deliveries due. Where verification is required, an endpoint with a new host awaits it again.',
  params: integerPath,
  body: updateWebhookBody,
  bodyExample: { enabled: true },
  response: z.object({ data: webhookEndpoint }),
  example: { data: webhookEndpointExample },
  async handler(request, { db, settings }) {
    const { companyId, params, body, note } = request;
    const id = integerInPath(params['id']);
    note({ endpointId: id });
    const change = parseBody(updateWebhookBody, body);
    const { enabled, headers, maxPerMinute: pace, ...fields } = change;
    if (Object.keys(change).length === 0) {
      throw invalidRequest(
        `body: must have at least one of ${Object.keys(updateWebhookBody.shape).join(', ')}`,
      );
    }
    if (fields.url !== undefined) requireCallableUrl(fields.url, settings.webhooks);
    const row = await inManagementTransaction(db, request, async (tx) => {
      const before = await lockPresent(tx, companyId, id);
      const isNewHost = fields.url !== undefined && originOf(fields.url) !== originOf(before.url);
      const changedHeaders =
        headers === undefined
          ? null
          : changeHeaders(settings.webhooks.secretsKey, companyId, before, headers);
      if (isNewHost && (changedHeaders?.keepsOld ?? before.headerNames.length > 0)) {
        throw invalidRequest(
          'url: must not lead to another host while the endpoint keeps headers: give all of them again, or remove them',
        );
      }
      if (enabled !== undefined) await setEnabled(tx, companyId, id, enabled);
      if (settings.webhooks.verifyEndpoints && isNewHost) await requireVerification(tx, companyId, id);
      if (pace !== undefined) await setPace(tx, companyId, id, pace);
      const updated = await tx.webhookEndpoint.update({
        where: { companyId_id: { companyId, id } },
        data: { ...fields, ...changedHeaders?.row },
        include: WITH_PACE,
      });
      const { set = [], removed = [] } = changedHeaders ?? {};
      const changed = [
        ...changedFields(before, updated),
        ...(set.length + removed.length > 0 ? ['headers'] : []),
      ];
      if (changed.length === 0) return { result: updated, audit: null };
      return {
        result: updated,
        audit: {
          action: 'webhook.updated',
          objectType: 'webhook',
          objectId: id,
          details: {
            changed,
            ...(changed.includes('url') && { oldHost: hostOf(before.url), newHost: hostOf(updated.url) }),
            ...(changed.includes('enabled') && { enabled: updated.enabled }),
            ...(changed.includes('maxPerMinute') && { maxPerMinute: updated.pace?.maxPerMinute ?? null }),
            ...(set.length > 0 && { headersSet: set }),
            ...(removed.length > 0 && { headersRemoved: removed }),
          },
        },
      };
    });
    return { data: serializeWebhookEndpoint(row) };
  },
});

/** `DELETE /webhooks/{id}`: removes an endpoint permanently. Its delivery log can still be read. */
export const removeWebhook: AdminRemoval = {
  operationId: 'removeWebhook',
  tag: 'Webhook endpoints',
  summary: 'Remove a webhook endpoint',
  description:
    'Removes the endpoint permanently. Nothing more is sent to it, and its pending deliveries become dead. Its delivery log can still be read.',
  params: integerPath,
  status: 204,
  async handler(request, { db }) {
    const { companyId, params, note } = request;
    const id = integerInPath(params['id']);
    note({ endpointId: id });
    await inManagementTransaction(db, request, async (tx) => {
      if (!(await removeEndpoint(tx, companyId, id))) throw notFound();
      return {
        result: undefined,
        audit: { action: 'webhook.removed', objectType: 'webhook', objectId: id },
      };
    });
  },
};

/** `POST /webhooks/{id}/rotate-secret`: issues a new signing secret, which signs every attempt from now on. */
export const rotateWebhookSecret = adminOperation({
  operationId: 'rotateWebhookSecret',
  tag: 'Webhook endpoints',
  summary: 'Rotate the signing secret of a webhook endpoint',
  description:
    'Issues a new signing secret, which is in this response and is never shown again. It signs every attempt that starts from now on, including attempts of queued deliveries; the old secret is no longer used. With `overlapSeconds`, attempts are signed with both secrets for that time: `X-Service-Signature` and `webhook-signature` then have two values each, the first by the new secret and the second by the old one. Without an overlap, a delivery that the receiver refuses because it does not know the new secret yet is retried on the usual schedule.',
  params: integerPath,
  body: rotateWebhookSecretBody,
  bodyExample: { overlapSeconds: 3600 },
  isBodyOptional: true,
  response: z.object({ secret: secretShownOnce, data: webhookEndpoint }),
  example: { secret: 'whsec_TalTZinUmSEKxhsoLYS64oH5wOCSAowJnSO8GJ+kgAE=', data: webhookEndpointExample },
  async handler(request, { db, settings }) {
    const { companyId, params, body, note } = request;
    const id = integerInPath(params['id']);
    note({ endpointId: id });
    const { overlapSeconds } = parseBody(rotateWebhookSecretBody, body ?? {});
    const secret = mintSigningSecret();
    const secretCiphertext = encryptSigningSecret(settings.webhooks.secretsKey, companyId, secret);
    const row = await inManagementTransaction(db, request, async (tx) => {
      await lockPresent(tx, companyId, id);
      await keepSecret(tx, companyId, id, overlapSeconds);
      const updated = await tx.webhookEndpoint.update({
        where: { companyId_id: { companyId, id } },
        data: { secretCiphertext },
        include: WITH_PACE,
      });
      return {
        result: updated,
        audit: {
          action: 'webhook.secret_rotated',
          objectType: 'webhook',
          objectId: id,
          details: { overlapSeconds },
        },
      };
    });
    return { secret, data: serializeWebhookEndpoint(row) };
  },
});

/** Keeps the current secret of an endpoint as its previous one for the overlap. Without an overlap, no previous one is kept. */
async function keepSecret(
  tx: Transaction,
  companyId: number,
  id: number,
  overlapSeconds: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET previous_secret_ciphertext = CASE WHEN ${overlapSeconds} > 0 THEN secret_ciphertext END,
        previous_secret_until = CASE WHEN ${overlapSeconds} > 0
          THEN clock_timestamp() + ${overlapSeconds}::float8 * interval '1 second' END
    WHERE company_id = ${companyId} AND id = ${id}`;
}

/** Reads an endpoint; null if there is none or it was removed. */
function findEndpoint(
  db: Database | Transaction,
  companyId: number,
  id: number,
): Promise<WebhookEndpointRow | null> {
  return db.webhookEndpoint.findFirst({ where: { companyId, id, removedAt: null }, include: WITH_PACE });
}

/** Locks and reads an endpoint. @throws ApiError NOT_FOUND if there is none or it was removed. */
async function lockPresent(tx: Transaction, companyId: number, id: number): Promise<WebhookEndpointRow> {
  await lockEndpoint(tx, companyId, id);
  const row = await findEndpoint(tx, companyId, id);
  if (row === null) throw notFound();
  return row;
}

/** Host and port of a URL that was checked. Unlike the path and the query, they are not expected to contain a secret. */
export function hostOf(stored: string): string {
  return new URL(stored).host;
}

/** The names of the fields that a `PATCH` changed. */
function changedFields(before: WebhookEndpointRow, after: WebhookEndpointRow): string[] {
  const names = ['url', 'events', 'description', 'enabled', 'pace'] as const;
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return changed.map((name) => (name === 'pace' ? 'maxPerMinute' : name));
}

async function setEnabled(tx: Transaction, companyId: number, id: number, enabled: boolean): Promise<void> {
  if (enabled) await enableEndpoint(tx, companyId, id);
  else await disableEndpoint(tx, companyId, id, DISABLED_BY_ADMIN);
}

/** @throws ApiError INVALID_REQUEST if events must not be sent to the URL. */
export function requireCallableUrl(
  raw: string,
  rules: Pick<WebhookSettings, 'allowedPrivateHosts' | 'allowedPorts'>,
): void {
  const check = checkEndpointUrl(raw, rules.allowedPrivateHosts, rules.allowedPorts);
  if (!check.ok) throw invalidRequest(`url: ${check.reason}`);
}
