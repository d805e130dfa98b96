import type { Database, Transaction } from '@deal-signals/db/database';
import { lockEndpoint } from '@deal-signals/deliveries/endpoints/endpoint-state';
import { findDelivered, queueReplayed } from '@deal-signals/deliveries/admin-actions/replay';
import { deriveEventId } from '@deal-signals/outbox/event-id';
import { EVENT_TYPES, type EventType } from '@deal-signals/outbox/event-types';
import { createFilterBudget } from '@deal-signals/outbox/filter/filter';
import { findRecipients, type Subscriber, subscribersTo } from '@deal-signals/outbox/record-events';
import { dateTime, dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  type ChangedObject,
  eventsOf,
  findChangedObjects,
  typesOf,
  typeToShow,
  type WalkPosition,
} from '@deal-signals/serializers/events/changed-objects';
import { EVENTS, OBJECT_FEEDS, type ObjectKind } from '@deal-signals/serializers/events/events';
import { findShownObjects, type ShownObject } from '@deal-signals/serializers/events/shown-objects';
import { PAGE_BYTES } from '@deal-signals/serializers/feed-page';
import type { WebhookEndpointRow } from '@deal-signals/serializers/webhooks/endpoint';
import { z } from 'zod';
import { invalidField, invalidState, notFound } from '../../http/errors.ts';
import { integerPath, someOf } from '../../http/input.ts';
import { managementOperation, type ManagementRequest } from '../../http/route.ts';
import { inManagementTransaction } from '../management-transaction.ts';
import { findEndpoint, type Owner } from './endpoints/find.ts';

/** Maximum objects that one batch examines. A batch that queues something is a transaction, and captures of the workspace wait for it. */
const BATCH = 500;
/** Maximum events that one call queues. */
export const MAX_REPLAYED = 10_000;
/** How long a call continues with batches, in milliseconds. The next call continues there. */
const CALL_MS = 5_000;
const DAY_MS = 86_400_000;

const REPLAYED_TYPES = EVENT_TYPES.filter((type) => EVENTS[type].object !== null);

/** The body of `POST /webhooks/{id}/replay-missing`. */
const replayBody = z.object({
  since: dateTimeInput.meta({
    description:
      'Only what was recorded or changed at or after this time. It cannot be older than deliveries are kept',
  }),
  until: dateTimeInput
    .optional()
    .meta({ description: 'Only what was recorded or last changed before this time' }),
  eventTypes: someOf(REPLAYED_TYPES).optional().meta({ description: 'Only events of these types' }),
  nextSince: dateTimeInput
    .optional()
    .meta({ description: 'The `nextSince` of the previous call, to continue there' }),
  dryRun: z
    .boolean('must be true or false')
    .default(false)
    .meta({ description: 'Whether to count only, and queue nothing' }),
});

/** `POST /webhooks/{id}/replay-missing`: queues the events that were never queued for an endpoint. */
export const replayMissingEvents = managementOperation({
  operationId: 'replayMissingEvents',
  tag: 'Webhook deliveries',
  summary: 'Send a webhook endpoint what it missed',
  description: `Queues what was recorded or changed since a time and has no delivery to the endpoint, oldest first, with its present subscriptions and filter. Each engagement event, view and erasure is sent once, and each call, room and contract once in its present state: as \`call.summary.created\` (\`call.recorded\` without a summary), \`decision_room.updated\` and \`decision_room.esign.updated\`. An endpoint that subscribes to \`call.recorded\` or \`decision_room.created\` but not to these receives the calls that took place, and the rooms that were created, since then. The id of an event follows from the object and its position in its feed, so repeating the call queues nothing twice, and a receiver that remembers event ids takes each once. The deliveries come after the fresh ones of the workspace. Each call queues up to ${MAX_REPLAYED.toLocaleString('en')}. If \`hasMore\` is true, call again with \`nextSince\` and the same other fields, even if \`count\` is 0. The request fails with \`INVALID_STATE\` if the endpoint was removed, and while it is disabled, because it would miss further events. An API key can call it for endpoints that it registered.`,
  params: integerPath,
  body: replayBody,
  bodyExample: { since: '2026-09-01T12:00:00.000Z', until: '2026-09-02T12:00:00.000Z' },
  response: z.object({
    count: z
      .int()
      .meta({ description: 'Number of new deliveries; with `dryRun`, of those that there would be' }),
    hasMore: z.boolean().meta({ description: 'Whether to call again with `nextSince`' }),
    nextSince: dateTime
      .nullable()
      .meta({ description: 'Where the next call continues; null if nothing is left' }),
  }),
  example: { count: 7, hasMore: false, nextSince: null },
  errors: ['INVALID_STATE'],
  async handler(request, { db, settings }) {
    const { companyId, slot } = request;
    const { id } = request.params;
    const { dryRun, nextSince, ...selected } = request.body;
    const selection = { until: null, eventTypes: null, ...selected };
    const start = nextSince !== undefined && nextSince > selection.since ? nextSince : selection.since;
    requireKept(start, settings.webhooks.retentionDays);
    const deadline = performance.now() + CALL_MS;
    let count = 0;
    let from: WalkPosition | null = { at: start, kind: null };
    do {
      const limit = count < MAX_REPLAYED ? Math.min(BATCH, MAX_REPLAYED - count) : BATCH;
      const position: WalkPosition = from;
      // Reads without the feed clock, so captures wait only if there is something to queue.
      const found: Found = await slot.read(async () =>
        findMissing(db, companyId, await requireEnabled(db, request, id), selection, position, limit),
      );
      const batch: Batch =
        dryRun || found.missing.length === 0
          ? { count: found.missing.length, end: found.end }
          : await replayBatch(db, request, id, selection, position, limit);
      count += batch.count;
      from = batch.end;
      // The next call repeats the whole millisecond, so this call has to get beyond its first one.
    } while (
      from !== null &&
      ((count < MAX_REPLAYED && performance.now() < deadline) || from.at.getTime() === start.getTime())
    );
    return { count, hasMore: from !== null, nextSince: from?.at.toISOString() ?? null };
  },
});

/** Selects events to replay. */
interface Selection {
  since: Date;
  until: Date | null;
  eventTypes: readonly EventType[] | null;
}

/** The result of a part of the walk. */
interface Found {
  missing: { object: ChangedObject; type: EventType }[];
  /** The position at which the walk continues; null at its end. */
  end: WalkPosition | null;
}

interface Batch {
  count: number;
  end: WalkPosition | null;
}

/** @throws ApiError INVALID_REQUEST if deliveries of that time may have been removed, so that what was sent is unknown. */
function requireKept(since: Date, retentionDays: number): void {
  const first = new Date(Date.now() - retentionDays * DAY_MS);
  if (retentionDays === 0 || since >= first) return;
  throw invalidField(
    'since',
    `must be at or after ${first.toISOString()}, because deliveries are kept for ${retentionDays} days`,
  );
}

/** Reads an endpoint. @throws ApiError NOT_FOUND, or INVALID_STATE if it is disabled or was removed. */
async function requireEnabled(db: Database | Transaction, owner: Owner, id: number): Promise<Subscriber> {
  const row = await findEndpoint(db, owner, id);
  if (row === null) {
    const { companyId, key } = owner;
    const wasRemoved = key === null && (await db.webhookEndpoint.count({ where: { companyId, id } })) > 0;
    throw wasRemoved ? invalidState('the endpoint was removed; nothing more is sent to it') : notFound();
  }
  if (!row.enabled) throw invalidState('the endpoint is disabled; enable it before you send what it missed');
  return row as Subscriber & WebhookEndpointRow;
}

/** Finds, among the next objects of the feeds, those that the endpoint would receive and has no delivery of. */
async function findMissing(
  db: Database | Transaction,
  companyId: number,
  endpoint: Subscriber,
  { since, until, eventTypes }: Selection,
  from: WalkPosition,
  limit: number,
): Promise<Found> {
  const isWanted = (type: EventType) =>
    (eventTypes?.includes(type) ?? true) && subscribersTo(type, [endpoint]).length > 0;
  const kinds = new Set(
    (Object.keys(OBJECT_FEEDS) as ObjectKind[]).filter((kind) => typesOf(kind).some(isWanted)),
  );
  if (kinds.size === 0) return { missing: [], end: null };
  const objects = await findChangedObjects(db, companyId, { kinds, from, until, limit });
  const candidates = objects.flatMap((object) => {
    const type = typeToShow(object, isWanted, since);
    const eventIds = eventsOf(object).map((source) => deriveEventId(companyId, source));
    return type === null ? [] : [{ object, type, eventIds }];
  });
  const delivered = await findDelivered(
    db,
    companyId,
    endpoint.id,
    candidates.flatMap(({ eventIds }) => eventIds),
  );
  let end: WalkPosition | null = objects.length === limit ? objects.at(-1)! : null;
  const missing: Found['missing'] = [];
  let bytes = 0;
  for (const { object, type, eventIds } of candidates) {
    if (eventIds.some((eventId) => delivered.has(eventId))) continue;
    bytes += object.bytes;
    if (bytes > PAGE_BYTES && missing.length > 0) {
      end = missing.at(-1)!.object;
      break;
    }
    missing.push({ object, type });
  }
  if (endpoint.filter === null) return { missing, end };
  const shown = await readObjects(
    db,
    companyId,
    missing.map(({ object }) => object),
  );
  const budget = createFilterBudget();
  const isMatch = ({ object, type }: Found['missing'][number]) => {
    const content = shown.get(keyOf(object));
    return (
      content !== undefined && findRecipients({ type, data: content.data }, [endpoint], budget).length > 0
    );
  };
  return { missing: missing.filter(isMatch), end };
}

/**
 * Queues what a part of the walk finds. It searches again under the feed clock, because another request may have queued the same, and
 * an object that has changed has a later position. Each batch is committed, and audited, by itself.
 */
function replayBatch(
  db: Database,
  request: ManagementRequest,
  endpointId: number,
  selection: Selection,
  from: WalkPosition,
  limit: number,
): Promise<Batch> {
  return inManagementTransaction(db, request, async (feed) => {
    const { tx, companyId } = feed;
    const state = await lockEndpoint(tx, companyId, endpointId);
    const endpoint = await requireEnabled(tx, request, endpointId);
    const { missing, end } = await findMissing(tx, companyId, endpoint, selection, from, limit);
    const objects = missing.map(({ object }) => object);
    const shown = await readObjects(tx, companyId, objects);
    const events = missing.flatMap(({ object, type }) => {
      const source = eventsOf(object).find((one) => one.type === type)!;
      const content = shown.get(keyOf(object));
      return content === undefined ? [] : [{ ...source, ...content }];
    });
    const count = await queueReplayed(feed, endpointId, state === 'open', events);
    const result = { count, end };
    if (count === 0) return { result, audit: null };
    return {
      result,
      audit: {
        action: 'deliveries.replayed',
        objectType: 'webhook',
        objectId: endpointId,
        details: {
          count,
          since: selection.since.toISOString(),
          until: selection.until?.toISOString() ?? null,
          eventTypes: selection.eventTypes === null ? null : [...selection.eventTypes],
        },
      },
    };
  });
}

/**
 * Reads objects as the feeds show them now: under the feed clock, as they were found.
 *
 * @returns what events show of them, by `keyOf`.
 */
async function readObjects(
  db: Database | Transaction,
  companyId: number,
  objects: readonly ChangedObject[],
): Promise<Map<string, ShownObject>> {
  const shown = new Map<string, ShownObject>();
  for (const kind of new Set(objects.map((object) => object.kind))) {
    const ids = objects.filter((object) => object.kind === kind).map(({ id }) => id);
    const found = await findShownObjects(db, companyId, kind, { ids });
    for (const [id, object] of found) shown.set(keyOf({ kind, id }), object);
  }
  return shown;
}

function keyOf({ kind, id }: Pick<ChangedObject, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
