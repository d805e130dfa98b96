import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '@deal-signals/db/database';
import { testBody, TEST_TYPE } from '@deal-signals/deliveries/alerts/message';
import { recordAlertResult, sendToChannel } from '@deal-signals/deliveries/alerts/send';
import {
  ALERT_CHANNEL_KINDS,
  ALERT_EVENTS,
  type AlertChannelKind,
  MAX_ALERT_CHANNELS,
} from '@deal-signals/outbox/alert-events';
import { decryptAlertTarget, encryptAlertTarget } from '@deal-signals/sending/secrets/alert-target';
import { generateSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { alertChannelExample } from '@deal-signals/serializers/examples/alert-channel';
import { alertChannel, serializeAlertChannel } from '@deal-signals/serializers/management/alert-channel';
import { z } from 'zod';
import { invalidRequest, invalidState, notFound, unavailable } from '../http/errors.ts';
import { integerPath, oneOf, someOf } from '../http/input.ts';
import { countPing } from '../http/limits/rate-limit.ts';
import { adminOperation, type AdminRequest, type Removal } from '../http/route.ts';
import { inManagementTransaction } from './management-transaction.ts';
import { description, hostOf, requireCallableUrl, url } from './webhooks/endpoints/fields.ts';

const events = someOf(ALERT_EVENTS).meta({ description: 'The events that it gets' });

/** The body of `POST /alert-channels`. */
const createBody = z.object({
  kind: oneOf(ALERT_CHANNEL_KINDS).meta({
    description:
      '`slack` for an incoming webhook of Slack, `teams` for one of Workflows in Teams, and `webhook` for signed JSON',
  }),
  url,
  events: events.default([...ALERT_EVENTS]),
  description: description.default(null),
});

/** The body of `PATCH /alert-channels/{id}`. */
const updateBody = z
  .object({ url: url.optional(), events: events.optional(), description: description.optional() })
  .meta({ minProperties: 1 });

/** `GET /alert-channels`: the alert channels of the workspace. */
export const listAlertChannels = adminOperation({
  operationId: 'listAlertChannels',
  tag: 'Alert channels',
  summary: 'List alert channels',
  description: 'Returns all alert channels of the workspace, with the result of the last message to each.',
  response: z.object({ data: z.array(alertChannel) }),
  example: { data: [alertChannelExample] },
  async handler({ companyId }, { db }) {
    const rows = await db.alertChannel.findMany({ where: { companyId }, orderBy: { id: 'asc' } });
    return { data: rows.map(serializeAlertChannel) };
  },
});

/** `POST /alert-channels`: adds a channel. The secret of a `webhook` is in this response and is never shown again. */
export const createAlertChannel = adminOperation({
  operationId: 'createAlertChannel',
  tag: 'Alert channels',
  summary: 'Add an alert channel',
  description:
    'Adds a URL that gets messages about webhook endpoints: one fails (at half and at nine tenths of the failures, or of the minimum outage, that disable it), was disabled or has recovered, or deliveries are dead. A channel gets at most one message an hour of an endpoint and event, with the number of occurrences. A message that is not accepted is sent again up to five times. URLs must follow the rules of endpoint URLs, and no response shows them. Messages to a `webhook` are signed like webhooks. A workspace can have at most five alert channels; a further one is rejected with `INVALID_STATE`.',
  body: createBody,
  bodyExample: {
    kind: alertChannelExample.kind,
    url: 'https://alerts.crm.example/deal-signals',
    description: alertChannelExample.description,
  },
  errors: ['INVALID_STATE'],
  status: 201,
  response: z.object({
    secret: z.string().nullable().meta({
      description:
        'The secret that signs messages to a `webhook`; null for chats. Store it securely: it cannot be shown again',
    }),
    data: alertChannel,
  }),
  example: { secret: 'whsec_aS5wIb5oF6S0a3WgS3Zyq4Xq5VdHcm7hKkb3TgTzN0A=', data: alertChannelExample },
  async handler(request, { db, settings }) {
    const { companyId } = request;
    const { url: given, ...fields } = request.body;
    requireCallableUrl(given, settings.webhooks);
    const secret = fields.kind === 'webhook' ? generateSigningSecret() : null;
    const host = hostOf(given);
    const targetCiphertext = encryptAlertTarget(settings.webhooks.secretKeys, companyId, {
      url: given,
      secret,
    });
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      if ((await tx.alertChannel.count({ where: { companyId } })) >= MAX_ALERT_CHANNELS) {
        throw invalidState(
          `the workspace already has ${MAX_ALERT_CHANNELS} alert channels; remove one first`,
        );
      }
      const created = await tx.alertChannel.create({
        data: { companyId, ...fields, host, targetCiphertext },
      });
      return {
        result: created,
        audit: {
          action: 'alert_channel.created',
          objectType: 'alert_channel',
          objectId: created.id,
          details: { kind: fields.kind, host, events: fields.events },
        },
      };
    });
    return { secret, data: serializeAlertChannel(row) };
  },
});

/** `PATCH /alert-channels/{id}`: changes a channel. */
export const updateAlertChannel = adminOperation({
  operationId: 'updateAlertChannel',
  tag: 'Alert channels',
  summary: 'Change an alert channel',
  description:
    'Changes the given fields; at least one is required. Messages that are not sent yet go to the new URL. A `webhook` keeps its secret.',
  params: integerPath,
  body: updateBody,
  bodyExample: { description: alertChannelExample.description },
  response: z.object({ data: alertChannel }),
  example: { data: alertChannelExample },
  async handler(request, { db, settings }) {
    const { companyId } = request;
    const { id } = request.params;
    const { url: given, ...fields } = request.body;
    if (given === undefined && Object.keys(fields).length === 0) {
      throw invalidRequest(`body: must have at least one of ${Object.keys(updateBody.shape).join(', ')}`);
    }
    if (given !== undefined) requireCallableUrl(given, settings.webhooks);
    const keys = settings.webhooks.secretKeys;
    const row = await inManagementTransaction(db, request, async ({ tx }) => {
      const before = await findChannel(tx, companyId, id);
      const target =
        given === undefined ? null : decryptAlertTarget(keys, companyId, before.targetCiphertext);
      const changed = [
        ...(target !== null && target.url !== given ? ['url'] : []),
        ...(['events', 'description'] as const).filter(
          (name) => fields[name] !== undefined && !isDeepStrictEqual(fields[name], before[name]),
        ),
      ];
      if (changed.length === 0) return { result: before, audit: null };
      const updated = await tx.alertChannel.update({
        where: { companyId_id: { companyId, id } },
        data: {
          ...fields,
          ...(target !== null && {
            host: hostOf(given!),
            targetCiphertext: encryptAlertTarget(keys, companyId, { ...target, url: given! }),
          }),
        },
      });
      return {
        result: updated,
        audit: {
          action: 'alert_channel.updated',
          objectType: 'alert_channel',
          objectId: id,
          details: {
            changed,
            ...(changed.includes('url') && { oldHost: before.host, newHost: updated.host }),
            ...(changed.includes('events') && { oldEvents: before.events, events: updated.events }),
          },
        },
      };
    });
    return { data: serializeAlertChannel(row) };
  },
});

/** `DELETE /alert-channels/{id}`: removes a channel and its unsent messages. */
export const removeAlertChannel: Removal<AdminRequest, typeof integerPath> = {
  operationId: 'removeAlertChannel',
  tag: 'Alert channels',
  summary: 'Remove an alert channel',
  description: 'Removes the channel and its unsent messages.',
  params: integerPath,
  status: 204,
  async handler(request, { db }) {
    const { companyId } = request;
    const { id } = request.params;
    await inManagementTransaction(db, request, async ({ tx }) => {
      const { host } = await findChannel(tx, companyId, id);
      await tx.alertChannel.delete({ where: { companyId_id: { companyId, id } } });
      await removeAlerts(tx, companyId, id);
      return {
        result: undefined,
        audit: {
          action: 'alert_channel.removed',
          objectType: 'alert_channel',
          objectId: id,
          details: { host },
        },
      };
    });
  },
};

/** `POST /alert-channels/{id}/test`: sends a test message and responds with its outcome. */
export const testAlertChannel = adminOperation({
  operationId: 'testAlertChannel',
  tag: 'Alert channels',
  summary: 'Send a test message to an alert channel',
  description:
    'Sends a message and responds when the outcome is known. If it was not accepted, the response is still 200, and `error` says why. At most 10 tests a minute, together with those of endpoints.',
  params: integerPath,
  response: z.object({
    data: z.object({
      accepted: z.boolean(),
      statusCode: z.int().nullable().meta({ description: 'The status of the response; null without one' }),
      error: z.string().nullable().meta({ description: 'Why the message was not accepted; null if it was' }),
    }),
  }),
  example: { data: { accepted: true, statusCode: 200, error: null } },
  errors: ['RATE_LIMITED'],
  async handler(request, { db, sender, settings, rateLimits, logger }) {
    const { companyId, slot, requester } = request;
    const { id } = request.params;
    await countPing(rateLimits.pings, companyId);
    const channel = await inManagementTransaction(db, request, async ({ tx }) => ({
      result: await findChannel(tx, companyId, id),
      audit: { action: 'alert_channel.tested', objectType: 'alert_channel', objectId: id },
    }));
    const messageId = randomUUID();
    const message = {
      id: messageId,
      type: TEST_TYPE,
      body: testBody(channel.kind as AlertChannelKind, messageId, companyId),
    };
    // Outside any transaction: a receiver that hangs must not hold a lock or a database connection.
    const sent = await sendToChannel(sender, settings.webhooks, channel, message);
    if (sent === null) throw unavailable('the test was interrupted before its result was known');
    const { error, statusCode } = sent;
    logger.info('alert channel test', { requestId: requester.requestId, companyId, channelId: id, ...sent });
    await slot.read(() => recordAlertResult(db, companyId, id, error));
    return { data: { accepted: error === null, statusCode, error } };
  },
});

/** @throws ApiError NOT_FOUND if the workspace has no such channel. */
async function findChannel(tx: Database | Transaction, companyId: number, id: number) {
  const channel = await tx.alertChannel.findFirst({ where: { companyId, id } });
  if (channel === null) throw notFound();
  return channel;
}

/** Skips locked rows. The worker removes those, and rows that are inserted at this moment, when it finds no channel for them. */
async function removeAlerts(tx: Transaction, companyId: number, channelId: number): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM alerts AS alert USING (
      SELECT endpoint_id, event FROM alerts
      WHERE company_id = ${companyId} AND channel_id = ${channelId} FOR UPDATE SKIP LOCKED
    ) AS removed
    WHERE alert.company_id = ${companyId} AND alert.channel_id = ${channelId}
      AND alert.endpoint_id = removed.endpoint_id AND alert.event = removed.event`;
}
