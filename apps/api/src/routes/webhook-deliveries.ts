import type { Database } from '@deal-signals/db/database';
import { isStorable } from '@deal-signals/db/storable-text';
import { EVENT_TYPES, type EventType } from '@deal-signals/outbox/event-types';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  deliveryStatus,
  findWebhookDeliveries,
  serializeWebhookDelivery,
  type WebhookDelivery,
  webhookDelivery,
} from '@deal-signals/serializers/webhooks/delivery';
import {
  findWebhookDeliveryDetail,
  serializeWebhookDeliveryDetail,
  webhookDeliveryDetail,
  type WebhookDeliveryDetailRow,
} from '@deal-signals/serializers/webhooks/delivery-detail';
import { z } from 'zod';
import { webhookDeliveryDetailExample } from '@deal-signals/serializers/examples/webhooks/webhook-delivery-detail';
import { webhookDeliveryExample } from '@deal-signals/serializers/examples/webhooks/webhook-delivery';
import { requireScopeOfEvent } from '../auth/event-scopes.ts';
import { requireScope } from '../auth/scopes.ts';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { notFound } from '../http/errors.ts';
import { integerId, integerTextPath, oneOf, uuid, WITHOUT_NUL } from '../http/input.ts';
import {
  descendingCursors,
  integerCursors,
  orderedPageParameters,
  type Page,
  pageOf,
  toPage,
} from '../http/pagination.ts';
import { adminOperation, dataOperation, keyOperation } from '../http/route.ts';

/** An address has at most 254 characters (RFC 5321), but capture does not enforce that. */
const MAX_PERSON_CHARACTERS = 1_000;
const PERSON_MESSAGE = `must be an email address of at most ${MAX_PERSON_CHARACTERS.toLocaleString('en')} characters`;

/** The email address of a person. */
const person = z
  .string()
  .min(1, PERSON_MESSAGE)
  .max(MAX_PERSON_CHARACTERS, PERSON_MESSAGE)
  .refine(isStorable, PERSON_MESSAGE);

/** The query parameters of `GET /webhooks/{id}/deliveries`. */
export const listEndpointDeliveriesQuery = z.object({
  ...orderedPageParameters,
  status: oneOf(deliveryStatus.options).optional().meta({ description: 'Only deliveries with this status' }),
  event_type: oneOf(EVENT_TYPES).optional().meta({ description: 'Only deliveries of this event type' }),
  event_id: uuid.optional().meta({ description: 'Only deliveries of this event' }),
  since: dateTimeInput
    .optional()
    .meta({ description: 'Only deliveries that were created at or after this time' }),
  until: dateTimeInput.optional().meta({ description: 'Only deliveries that were created before this time' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only deliveries of events about this Decision Room' }),
  call_id: uuid.optional().meta({
    description: 'Only deliveries of events about this call, or about this recording where it was shared',
  }),
  person: person.optional().meta({
    description: 'Only deliveries of what the person with this email address did. Case is ignored',
    example: 'giulia.tremblay@underhill-tools.example',
    override: { pattern: WITHOUT_NUL },
  }),
});

/** The query parameters of `GET /webhook-deliveries`. */
const listDeliveriesQuery = listEndpointDeliveriesQuery.extend({
  endpoint_id: integerId.optional().meta({ description: 'Only deliveries to this endpoint' }),
});

/** The response of both lists. */
export const deliveryPage = pageOf(webhookDelivery, 'Deliveries in the requested order');

/** The order of both lists. */
export const ORDER_TEXT =
  'The order is that in which the deliveries were created or, with `order=desc`, the reverse. Each delivery appears once. To follow the log after you have read it newest first, continue in ascending order with the id of the newest delivery as `cursor`.';

const listDeliveriesDescription = {
  operationId: 'listDeliveries',
  tag: 'Webhook deliveries' as const,
  summary: 'List webhook deliveries',
  query: listDeliveriesQuery,
  response: deliveryPage,
  example: { data: [webhookDeliveryExample], nextCursor: webhookDeliveryExample.id, hasMore: true },
};
const LIST_TEXT = `Returns the delivery log of the workspace. ${ORDER_TEXT}`;

/**
 * The scope that a filter requires in addition to that of the delivery log. A match reveals that something happened to a person,
 * a room or a call, and when.
 */
const FILTER_SCOPES = {
  person: 'read:engagement',
  buyer_space_id: 'read:rooms',
  call_id: 'read:calls',
} as const;

/** `GET /webhook-deliveries` for keys: the delivery log of the workspace. */
export const listDeliveries = keyOperation({
  ...listDeliveriesDescription,
  description: `${LIST_TEXT} A key with limited scopes needs \`read:engagement\` for the filter \`person\`, \`read:rooms\` for \`buyer_space_id\`, and \`read:calls\` for \`call_id\`.`,
  async handler({ companyId, key, query }, { db }) {
    for (const [name, scope] of Object.entries(FILTER_SCOPES)) {
      if (query[name as keyof typeof FILTER_SCOPES] !== undefined) requireScope(key.scopes, scope);
    }
    return findDeliveryPage(db, companyId, query);
  },
});

/** The same operation for admins, in the console. */
export const listDeliveriesForAdmins = dataOperation({
  ...listDeliveriesDescription,
  description: LIST_TEXT,
  handler: ({ companyId, query }, { db }) => findDeliveryPage(db, companyId, query),
});

/** Returns a page of the delivery log of a workspace, with the filters of `GET /webhook-deliveries`. */
export async function findDeliveryPage(
  db: Database,
  companyId: number,
  { order, cursor, limit, ...filters }: z.output<typeof listDeliveriesQuery>,
): Promise<Page<WebhookDelivery>> {
  const isNewestFirst = order === 'desc';
  const cursors = isNewestFirst ? descendingCursors : integerCursors;
  const position = cursors.read(cursor ?? cursors.start);
  const rows = await findWebhookDeliveries(db, companyId, {
    ...(isNewestFirst ? { before: position } : { after: position }),
    isNewestFirst,
    since: filters.since,
    until: filters.until,
    status: filters.status,
    endpointId: filters.endpoint_id,
    eventType: filters.event_type,
    eventId: filters.event_id,
    roomId: filters.buyer_space_id,
    callId: filters.call_id,
    person: filters.person,
    limit: limit + 1,
  });
  const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since: filters.since });
  return toPage(rows, limit, ifEmpty, serializeWebhookDelivery, ({ id }) => cursors.write(id));
}

const getDeliveryDescription = {
  operationId: 'getDelivery',
  tag: 'Webhook deliveries',
  summary: 'Get a delivery of the workspace with its payload and attempts',
  params: integerTextPath,
  response: z.object({ data: webhookDeliveryDetail }),
  example: { data: webhookDeliveryDetailExample },
} as const;
const DETAIL_TEXT =
  'Returns the delivery, the payload that every attempt sends, and the outcome of each attempt so far.';

/** `GET /webhook-deliveries/{id}` for keys: one delivery of the workspace with its payload and its attempts. */
export const getDelivery = keyOperation({
  ...getDeliveryDescription,
  description: `${DETAIL_TEXT} A key with limited scopes also needs the scope of the object in the payload: \`read:engagement\` for \`engagement.*\`, \`read:calls\` for \`call.*\`, \`read:rooms\` for \`decision_room.*\`, one of \`read:rooms\` and \`read:engagement\` for \`person.erased\`.`,
  async handler({ companyId, key, params }, { db }) {
    const row = await findDelivery(db, companyId, params.id);
    requireScopeOfEvent(key.scopes, row.eventType as EventType);
    return { data: serializeWebhookDeliveryDetail(row) };
  },
});

/** The same operation for admins, in the console. */
export const getDeliveryForAdmins = adminOperation({
  ...getDeliveryDescription,
  description: DETAIL_TEXT,
  async handler({ companyId, params, addLogFields }, { db }) {
    const row = await findDelivery(db, companyId, params.id);
    addLogFields({ endpointId: row.endpointId, deliveryId: String(row.id), eventId: row.eventId });
    return { data: serializeWebhookDeliveryDetail(row) };
  },
});

/** @throws ApiError NOT_FOUND if the workspace has no such delivery. */
async function findDelivery(db: Database, companyId: number, id: string): Promise<WebhookDeliveryDetailRow> {
  const row = await findWebhookDeliveryDetail(db, companyId, { id: BigInt(id) });
  if (row === null) throw notFound();
  return row;
}
