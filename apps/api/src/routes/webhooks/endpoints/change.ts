import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '@deal-signals/db/database';
import {
  disableEndpoint,
  enableEndpoint,
  requireVerification,
} from '@deal-signals/deliveries/endpoints/change-state';
import { setRateLimit } from '@deal-signals/deliveries/endpoints/rate-limit';
import {
  DISABLED_BY_ADMIN,
  serializeWebhookEndpoint,
  webhookEndpoint,
  type WebhookEndpointRow,
} from '@deal-signals/serializers/webhooks/endpoint';
import { z } from 'zod';
import { webhookEndpointExample } from '@deal-signals/serializers/examples/webhooks/webhook-endpoint';
import { invalidField, invalidRequest } from '../../../http/errors.ts';
import { integerPath } from '../../../http/input.ts';
import { adminOperation } from '../../../http/route.ts';
import { inManagementTransaction } from '../../management-transaction.ts';
import { changeHeaders, headersChange } from '../custom-headers.ts';
import {
  description,
  events,
  filter,
  honorRetryAfter,
  hostOf,
  maxPerMinute,
  requireCallableUrl,
  toColumn,
  url,
} from './fields.ts';
import { lockPresent, WITH_RATE_LIMIT } from './find.ts';

/** The body of `PATCH /webhooks/{id}`. */
const updateWebhookBody = z
  .object({
    url: url.optional(),
    events: events.optional(),
    filter: filter.optional(),
    description: description.optional(),
    headers: headersChange.optional(),
    maxPerMinute: maxPerMinute.optional(),
    honorRetryAfter: honorRetryAfter.optional(),
    enabled: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Whether events are sent to the endpoint' }),
  })
  .meta({ minProperties: 1 });

/** `PATCH /webhooks/{id}`: changes, enables or disables an endpoint. */
export const updateWebhook = adminOperation({
  operationId: 'updateWebhook',
  tag: 'Webhook endpoints',
  summary: 'Change, enable or disable a webhook endpoint',
  description:
    'Changes the given fields; at least one is required. Nothing is sent to a disabled endpoint: its pending deliveries wait with `nextAttemptAt` null. Re-enabling it resets `consecutiveFailures` and makes the waiting deliveries due. With another `url`, the values of custom headers have to be given again or removed in the same request, and where verification is required, the endpoint awaits it again.',
  params: integerPath,
  body: updateWebhookBody,
  bodyExample: { enabled: true },
  response: z.object({ data: webhookEndpoint }),
  example: { data: webhookEndpointExample },
  async handler(request, { db, settings }) {
    const { companyId, body: change } = request;
    const { id } = request.params;
    const { enabled, headers, maxPerMinute: rateLimit, filter: condition, ...fields } = change;
    if (Object.keys(change).length === 0) {
      throw invalidRequest(
        `body: must have at least one of ${Object.keys(updateWebhookBody.shape).join(', ')}`,
      );
    }
    if (fields.url !== undefined) requireCallableUrl(fields.url, settings.webhooks);
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      const before = await lockPresent(tx, request, id);
      const isNewUrl = fields.url !== undefined && fields.url !== before.url;
      const changedHeaders =
        headers === undefined
          ? null
          : changeHeaders(settings.webhooks.secretKeys, companyId, before, headers);
      // Another path of the same host may belong to another party.
      if (isNewUrl && (changedHeaders?.keepsOld ?? before.headerNames.length > 0)) {
        throw invalidField(
          'url',
          'must not change while the endpoint keeps values of headers: give all of them again in `headers`, or remove them',
        );
      }
      if (enabled !== undefined) await setEnabled(tx, companyId, id, enabled);
      if (settings.webhooks.verifyEndpoints && isNewUrl) await requireVerification(tx, companyId, id);
      if (rateLimit !== undefined) await setRateLimit(tx, companyId, id, rateLimit);
      const updated = await tx.webhookEndpoint.update({
        where: { companyId_id: { companyId, id } },
        data: {
          ...fields,
          ...(condition !== undefined && { filter: toColumn(condition) }),
          ...changedHeaders?.row,
        },
        include: WITH_RATE_LIMIT,
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
            ...(changed.includes('events') && { oldEvents: before.events, events: updated.events }),
            ...(changed.includes('filter') && { hasFilter: updated.filter !== null }),
            ...(changed.includes('enabled') && { enabled: updated.enabled }),
            ...(changed.includes('maxPerMinute') && {
              maxPerMinute: updated.rateLimit?.maxPerMinute ?? null,
            }),
            ...(changed.includes('honorRetryAfter') && { honorRetryAfter: updated.honorRetryAfter }),
            ...(set.length > 0 && { headersSet: set }),
            ...(removed.length > 0 && { headersRemoved: removed }),
          },
        },
      };
    });
    return { data: serializeWebhookEndpoint(row) };
  },
});

/** Returns the names of the fields that a `PATCH` changed. */
function changedFields(before: WebhookEndpointRow, after: WebhookEndpointRow): string[] {
  const names = [
    'url',
    'events',
    'filter',
    'description',
    'enabled',
    'rateLimit',
    'honorRetryAfter',
  ] as const;
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return changed.map((name) => (name === 'rateLimit' ? 'maxPerMinute' : name));
}

async function setEnabled(tx: Transaction, companyId: number, id: number, enabled: boolean): Promise<void> {
  if (enabled) await enableEndpoint(tx, companyId, id);
  else await disableEndpoint(tx, companyId, id, DISABLED_BY_ADMIN);
}
