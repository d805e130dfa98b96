import type { Database } from '@deal-signals/db/database';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import {
  type ChangeRow,
  findEndpointHistories,
  findWhyEndpoints,
  findWorkspaceHistory,
  type WhyEndpointRow,
} from '@deal-signals/serializers/console/why/endpoints';
import type { ExplainedObject } from '@deal-signals/serializers/console/why/objects';
import {
  findOccasions,
  type Occasion,
  type Occasions,
} from '@deal-signals/serializers/console/why/occasions';
import type { Why, WhyChange, WhyEndpoint, WhyHappened } from '@deal-signals/serializers/console/why/schema';
import { findDeliveryFacts, type DeliveryFacts } from '@deal-signals/serializers/console/why/delivery-facts';
import {
  findWebhookDeliveries,
  serializeWebhookDelivery,
  type WebhookDeliveryRow,
} from '@deal-signals/serializers/webhooks/delivery';
import { getsAll, diagnose, userOf, verdictOf, worstFirst } from './diagnose.ts';
import { findFiltered, type Happening } from './find-filtered.ts';
import { apiTimeline, enabledTimeline, filterTimeline, subscriptionTimeline } from './timeline.ts';

/** Maximum number of deliveries that are examined, newest first. */
const MAX_DELIVERIES = 1_000;
/** Maximum number of rows that are returned as evidence, of each kind and for each endpoint. */
const MAX_SHOWN = 20;

/** The object to explain. */
export interface Question {
  object: ExplainedObject;
  eventType: string | undefined;
  since: Date;
  until: Date;
  /** Whether the API is enabled for the workspace now. */
  apiEnabled: boolean;
  maxAttempts: number;
}

/** Explains for each endpoint of a workspace which events of an object it received, and why it did not receive the others. */
export async function explainObject(db: Database, companyId: number, question: Question): Promise<Why> {
  const { object, eventType, since, until } = question;
  const isKnownType = eventType === undefined || (EVENT_TYPES as readonly string[]).includes(eventType);
  // Reads the tables first. Otherwise an event that is captured in between would seem to have no delivery.
  const tables = isKnownType ? await findInTables(db, companyId, question) : NONE;
  const deliveries = isKnownType ? await findDeliveries(db, companyId, question) : [];
  const facts = await findDeliveryFacts(db, companyId, deliveries);
  const endpoints = await findWhyEndpoints(db, companyId, since);
  const histories = await findEndpointHistories(
    db,
    companyId,
    endpoints.map(({ id }) => id),
  );
  const workspace = await findWorkspaceHistory(db, companyId);

  // If there are too many deliveries, those of the oldest event may be incomplete.
  const lookedBackTo = deliveries.length < MAX_DELIVERIES ? null : deliveries.at(-1)!.createdAt;
  const api = apiTimeline(question.apiEnabled, workspace);
  const known = endpoints.map((endpoint) => {
    const history = histories.get(String(endpoint.id)) ?? { changes: [], knownSince: null };
    const enabled = enabledTimeline(endpoint, history);
    const subscription = subscriptionTimeline(endpoint, history);
    return { endpoint, history, enabled, subscription, filter: filterTimeline(endpoint, history), api };
  });
  const happenings = happeningsOf(tables.occasions, deliveries, facts).filter(
    (happening) =>
      (lookedBackTo === null || happening.at > lookedBackTo) &&
      (eventType === undefined || happening.eventType === eventType) &&
      (happening.isCertain ||
        !known.some((one) => getsAll(one, happening.eventType, lookedBackTo ?? since, until))),
  );
  const roomId = object.kind === 'room' ? object.id : null;
  const filtered = await findFiltered(db, companyId, happenings, endpoints, roomId);
  const lastChangedAt = object.kind === 'room' || object.kind === 'call' ? object.at.toISOString() : null;

  const now = new Date();
  const explainEndpoint = ({ history, ...one }: (typeof known)[number]): WhyEndpoint => {
    const own = deliveries.filter(({ endpointId }) => endpointId === one.endpoint.id);
    const sent = new Set(own.map(({ eventId }) => eventId));
    const notSent = happenings.filter(({ eventId }) => eventId === null || !sent.has(eventId));
    // Without a look at its filter, nothing can be said of why an endpoint was not sent something.
    const isLeftOut = (happening: Happening) =>
      one.endpoint.filter !== null && filtered.leftOut.has(happening);
    const missing = notSent
      .filter((happening) => !isLeftOut(happening))
      .map((happening) => ({
        ...happening,
        isWritten: happening.eventId !== null,
        isFiltered: filtered.endpointIds.get(happening)?.has(one.endpoint.id) === true,
      }));
    const leftOutTypes = notSent.filter(isLeftOut).map(({ eventType: type }) => type);
    const verdicts = isKnownType
      ? diagnose({
          ...one,
          deliveries: own,
          claimed: facts.claimed,
          missing,
          inexactTypes: new Set([...tables.inexactTypes, ...leftOutTypes]),
          maxAttempts: question.maxAttempts,
          now,
        })
      : [verdictOf('no_such_event_type', {})];
    return {
      endpoint: showEndpoint(one.endpoint),
      verdicts: verdicts.map((verdict) =>
        verdict.code === 'no_event' ? { ...verdict, at: lastChangedAt } : verdict,
      ),
      deliveries: own.slice(0, MAX_SHOWN).map(serializeWebhookDelivery),
      changes: showChanges(history.changes),
    };
  };

  const { at: _at, ...explained } = object;
  const happened = summarize(happenings, tables.inexactTypes);
  return {
    object: explained,
    since: since.toISOString(),
    until: until.toISOString(),
    lookedBackTo: lookedBackTo?.toISOString() ?? null,
    code: !isKnownType
      ? 'no_such_event_type'
      : !happened.some(({ isCertain }) => isCertain)
        ? 'no_event'
        : endpoints.length === 0
          ? 'no_endpoint'
          : null,
    lastChangedAt,
    happened,
    workspaceChanges: showChanges(workspace.changes),
    endpoints: worstFirst(known.map(explainEndpoint)),
  };
}

const NONE: Occasions = { occasions: [], inexactTypes: new Set() };

/** Finds the occurrences of a room or a call in the tables. For an event, the event itself has all facts. */
function findInTables(
  db: Database,
  companyId: number,
  { object: { kind, id }, since, until }: Question,
): Promise<Occasions> | Occasions {
  return kind === 'room' || kind === 'call' ? findOccasions(db, companyId, { kind, id, since, until }) : NONE;
}

function findDeliveries(
  db: Database,
  companyId: number,
  { object: { kind, id, eventId }, eventType, since, until }: Question,
): Promise<WebhookDeliveryRow[]> {
  const of = { room: { roomId: id, since, until }, call: { callId: id, since, until } };
  const filter = kind === 'room' || kind === 'call' ? of[kind] : { eventId: eventId! };
  return findWebhookDeliveries(db, companyId, {
    ...filter,
    eventType,
    isNewestFirst: true,
    limit: MAX_DELIVERIES,
  });
}

/** Returns all occurrences, each once: those with an event, and those without. */
function happeningsOf(
  occasions: readonly Occasion[],
  deliveries: readonly WebhookDeliveryRow[],
  { engagementIds }: DeliveryFacts,
): Happening[] {
  const written = new Map<string, Happening>();
  const keys = new Set<string>();
  // Newest first, so the first delivery of an event, which has the event's time, comes last. Resends are later.
  for (const delivery of deliveries) {
    const { eventId, eventType, createdAt } = delivery;
    const key = keyOf(delivery, engagementIds);
    keys.add(`${eventType} ${key}`);
    written.set(eventId, {
      eventType,
      at: createdAt,
      timeIs: 'recorded',
      isCertain: true,
      source: 'webhook_events',
      key,
      eventId,
    });
  }
  const unwritten = occasions.filter(({ eventType, key }) => !keys.has(`${eventType} ${key}`));
  return [...written.values(), ...unwritten.map((occasion) => ({ ...occasion, eventId: null }))];
}

/** Returns the key of the occurrence that an event is about, unique for the event type; the same as in `findOccasions`. */
function keyOf(delivery: WebhookDeliveryRow, engagementIds: DeliveryFacts['engagementIds']): string {
  const { eventId, eventType, createdAt, buyerSpaceId, callId } = delivery;
  if (eventType === 'call.recorded' || eventType === 'call.summary.created') return callId ?? eventId;
  if (eventType === 'decision_room.created') return buyerSpaceId ?? eventId;
  return engagementIds.get(eventId) ?? createdAt.toISOString();
}

/** Summarizes the occurrences by event type, newest first, with certain and possible ones counted separately. */
function summarize(happenings: readonly Happening[], inexactTypes: ReadonlySet<string>): WhyHappened[] {
  const groups = new Map<string, Happening[]>();
  for (const happening of happenings) {
    const key = `${happening.eventType} ${happening.isCertain}`;
    groups.set(key, [...(groups.get(key) ?? []), happening]);
  }
  return [...groups.values()]
    .map((group): WhyHappened => {
      const { eventType, isCertain } = group[0]!;
      const times = group.map(({ at }) => at.toISOString()).toSorted();
      return {
        eventType,
        count: group.length,
        written: group.filter(({ eventId }) => eventId !== null).length,
        isCountExact: !inexactTypes.has(eventType),
        isCertain,
        firstAt: times[0]!,
        lastAt: times.at(-1)!,
        sources: [...new Set(group.map(({ source }) => source))],
      };
    })
    .toSorted((a, b) => b.lastAt.localeCompare(a.lastAt));
}

function showEndpoint({
  suspended: _suspended,
  rateLimited: _rateLimited,
  ...endpoint
}: WhyEndpointRow): WhyEndpoint['endpoint'] {
  const { createdAt, removedAt } = endpoint;
  return {
    ...endpoint,
    createdAt: createdAt.toISOString(),
    removedAt: removedAt?.toISOString() ?? null,
  };
}

function showChanges(changes: readonly ChangeRow[]): WhyChange[] {
  return changes
    .toReversed()
    .slice(0, MAX_SHOWN)
    .map((change) => ({
      at: change.at.toISOString(),
      action: change.action,
      auditRecordId: String(change.id),
      user: userOf(change),
      details: change.details,
    }));
}
