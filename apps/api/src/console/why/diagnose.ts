import { REMOVED_ERROR } from '@deal-signals/deliveries/endpoints/removed';
import type { ChangeRow, WhyEndpointRow } from '@deal-signals/serializers/console/why/endpoints';
import type { Occasion } from '@deal-signals/serializers/console/why/occasions';
import {
  WHY_CODES,
  type WhyCode,
  type WhyEndpoint,
  type WhyVerdict,
} from '@deal-signals/serializers/console/why/schema';
import { dateTimeOrNull } from '@deal-signals/serializers/date-time';
import type { WebhookDeliveryRow } from '@deal-signals/serializers/webhooks/delivery';
import { type Period, periodAt, type Timeline } from './timeline.ts';

/** The facts about an endpoint and its workspace. */
export interface Case {
  endpoint: WhyEndpointRow;
  enabled: Timeline<boolean>;
  subscription: Timeline<string[]>;
  /** Whether the endpoint had a filter. */
  filter: Timeline<boolean>;
  api: Timeline<boolean>;
  /** The deliveries to the endpoint, newest first. */
  deliveries: readonly WebhookDeliveryRow[];
  /** The deliveries that are claimed. */
  claimed: ReadonlySet<bigint>;
  /**
   * Occurrences for which the endpoint has no delivery, whether an event was written for them, and whether the present filter of the
   * endpoint excludes them.
   */
  missing: readonly (Occasion & { isWritten: boolean; isFiltered: boolean })[];
  /** The event types for which the given list may be incomplete. */
  inexactTypes: ReadonlySet<string>;
  maxAttempts: number;
  now: Date;
}

const ORDER = Object.keys(WHY_CODES) as WhyCode[];

/**
 * Sorts endpoints by the verdict that best explains a missing delivery, so the most relevant endpoint is first. An endpoint whose
 * deliveries wait for their first attempt comes beside those at which they arrived. The sort is stable.
 */
export function worstFirst(endpoints: readonly WhyEndpoint[]): WhyEndpoint[] {
  const rank = ({ verdicts: [first] }: WhyEndpoint) => {
    if (first === undefined) return ORDER.length;
    const code = first.code === 'waiting' && first.attempts === 0 ? 'delivered' : first.code;
    return ORDER.indexOf(code as WhyCode) + (first.isCertain ? 0 : ORDER.length);
  };
  return endpoints.toSorted((a, b) => rank(a) - rank(b));
}

/** Diagnoses why an endpoint received the events of an object, or did not. Returns at least one verdict, most important first. */
export function diagnose(known: Case): WhyVerdict[] {
  const verdicts = [...diagnoseDeliveries(known), ...diagnoseMissing(known)];
  if (verdicts.length === 0) return [verdictOf('no_event', {})];
  return verdicts.toSorted(
    (a, b) =>
      Number(b.isCertain) - Number(a.isCertain) ||
      ORDER.indexOf(a.code as WhyCode) - ORDER.indexOf(b.code as WhyCode) ||
      (b.at ?? '').localeCompare(a.at ?? ''),
  );
}

/** Returns a verdict in which only the given fields are known. */
export function verdictOf(code: WhyCode, fields: Partial<WhyVerdict>): WhyVerdict {
  return {
    code,
    count: 0,
    isCountExact: true,
    isCertain: true,
    eventTypes: [],
    at: null,
    since: null,
    until: null,
    attempts: null,
    maxAttempts: null,
    maxPerMinute: null,
    statusCode: null,
    error: null,
    deliveryId: null,
    disabledBy: null,
    user: null,
    timeIs: null,
    ...fields,
  };
}

function diagnoseDeliveries(known: Case): WhyVerdict[] {
  const groups = new Map<WhyCode, WebhookDeliveryRow[]>();
  for (const delivery of known.deliveries) {
    const code = codeOf(delivery, known);
    groups.set(code, [...(groups.get(code) ?? []), delivery]);
  }
  return [...groups].map(([code, deliveries]) => {
    const newest = deliveries[0]!;
    // Of deliveries that wait, one that has failed explains more than a newer one before its first attempt.
    const shown = deliveries.find(({ attempts }) => attempts > 0) ?? newest;
    const at = code === 'delivered' ? newest.deliveredAt : newest.dismissedAt;
    return verdictOf(code, {
      count: deliveries.length,
      isCountExact: isExact(known, deliveries),
      eventTypes: typesOf(deliveries),
      at: dateTimeOrNull(at ?? newest.createdAt),
      since: deliveries.at(-1)!.createdAt.toISOString(),
      until: dateTimeOrNull(shown.nextAttemptAt),
      attempts: shown.attempts,
      maxAttempts: known.maxAttempts,
      statusCode: shown.lastStatusCode,
      error: shown.lastError,
      deliveryId: String(shown.id),
      ...stateOf(code, known),
    });
  });
}

function codeOf(delivery: WebhookDeliveryRow, { endpoint, claimed, now }: Case): WhyCode {
  if (delivery.status === 'delivered') return 'delivered';
  if (delivery.status === 'dead') {
    if (delivery.lastError === REMOVED_ERROR && endpoint.removedAt !== null) return 'removed';
    return delivery.dismissedAt === null ? 'dead' : 'dismissed';
  }
  if (claimed.has(delivery.id)) return 'in_progress';
  if (delivery.nextAttemptAt !== null) {
    return endpoint.rateLimited !== null && delivery.nextAttemptAt <= now ? 'rate_limited' : 'waiting';
  }
  if (endpoint.suspended) return 'workspace_off';
  if (endpoint.awaitingVerification) return 'awaiting_verification';
  // An endpoint that was enabled a moment ago makes its deliveries due with the next tick.
  return endpoint.enabled ? 'waiting' : 'parked_disabled';
}

/** Returns the verdicts that the state of the endpoint or the workspace adds to those about its deliveries. */
function stateOf(code: WhyCode, { endpoint, enabled, api, now }: Case): Partial<WhyVerdict> {
  if (code === 'parked_disabled') return disabling(enabled.at(-1), endpoint);
  if (code === 'rate_limited' && endpoint.rateLimited !== null) {
    const { maxPerMinute, secondsLeft } = endpoint.rateLimited;
    return { maxPerMinute, until: new Date(now.getTime() + secondsLeft * 1_000).toISOString() };
  }
  if (code === 'workspace_off') return { since: dateTimeOrNull(api.at(-1)?.since ?? null) };
  if (code === 'removed') return { since: dateTimeOrNull(endpoint.removedAt) };
  return {};
}

/** Returns since when an endpoint is or was disabled, until when, and by whom. */
function disabling(period: Period<boolean> | undefined, endpoint: WhyEndpointRow): Partial<WhyVerdict> {
  if (period === undefined || period.value !== false) {
    return { since: null, until: null, disabledBy: 'unknown', error: endpoint.disabledReason };
  }
  const { since, until, change } = period;
  return {
    since: dateTimeOrNull(since),
    until: dateTimeOrNull(until ?? endpoint.removedAt),
    disabledBy: disabledBy(change),
    user: userOf(change),
  };
}

function disabledBy(change: ChangeRow | null): WhyVerdict['disabledBy'] {
  if (change?.action === 'webhook.updated') return 'admin';
  const reason = change?.details['reason'];
  return reason === 'failures' || reason === 'gone' ? reason : 'unknown';
}

/** The admin who made a change. */
export function userOf(change: ChangeRow | null): WhyVerdict['user'] {
  return change === null || change.userId === null ? null : { id: change.userId, name: change.userName };
}

/** Groups the missing deliveries of an endpoint by reason, and by the period that is the reason. */
function diagnoseMissing(known: Case): WhyVerdict[] {
  const groups = new Map<string, { facts: Reason; occasions: Occasion[] }>();
  for (const occasion of known.missing) {
    const facts = reasonOf(occasion, known);
    // The occurrence may not have caused an event. If it had, the endpoint would have received it.
    if (facts.code === 'unknown' && !occasion.isCertain) continue;
    const key = [facts.code, facts.since?.getTime(), occasion.isCertain, occasion.timeIs].join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { facts, occasions: [occasion] });
    else group.occasions.push(occasion);
  }
  return [...groups.values()].map(({ facts: { code, since, until, more }, occasions }) => {
    const newest = occasions.reduce((a, b) => (b.at > a.at ? b : a));
    return verdictOf(code, {
      count: occasions.length,
      isCountExact: isExact(known, occasions),
      isCertain: newest.isCertain,
      eventTypes: typesOf(occasions),
      at: newest.at.toISOString(),
      since: dateTimeOrNull(since),
      until: dateTimeOrNull(until),
      timeIs: newest.timeIs,
      ...more,
    });
  });
}

/**
 * Reports whether an endpoint would have received every event of a type in a period. A missing delivery then proves that there
 * was no such event, however the object changed.
 */
export function getsAll(
  {
    endpoint,
    enabled,
    subscription,
    filter,
    api,
  }: Pick<Case, 'endpoint' | 'enabled' | 'subscription' | 'filter' | 'api'>,
  eventType: string,
  since: Date,
  until: Date,
): boolean {
  const isSame = ({ until: end }: Period<unknown>) => end === null || end >= until;
  const [able, subscribed, filtered, on] = [
    periodAt(enabled, since),
    periodAt(subscription, since),
    periodAt(filter, since),
    periodAt(api, since),
  ];
  const isSubscribed = subscribed.value?.some((type) => type === '*' || type === eventType) === true;
  const isPresent =
    endpoint.createdAt <= since && (endpoint.removedAt === null || endpoint.removedAt >= until);
  return (
    isPresent &&
    isSubscribed &&
    able.value === true &&
    filtered.value === false &&
    on.value === true &&
    [able, subscribed, filtered, on].every(isSame)
  );
}

interface Reason {
  code: WhyCode;
  since: Date | null;
  until: Date | null;
  more?: Partial<WhyVerdict>;
}

/** Returns why an endpoint has no delivery of an occurrence, as far as the records show it. */
function reasonOf({ at, eventType, isWritten, isFiltered }: Case['missing'][number], known: Case): Reason {
  const { endpoint, enabled, subscription, filter, api } = known;
  if (endpoint.removedAt !== null && at >= endpoint.removedAt) {
    return { code: 'removed', since: endpoint.removedAt, until: null };
  }
  if (at < endpoint.createdAt) return { code: 'created_later', since: null, until: endpoint.createdAt };
  const subscribed = periodAt(subscription, at);
  if (subscribed.value !== null && !subscribed.value.includes('*') && !subscribed.value.includes(eventType)) {
    const { since, until, change } = subscribed;
    return { code: 'not_subscribed', since, until, more: { user: userOf(change) } };
  }
  const on = periodAt(api, at);
  // The event was written for another endpoint, which proves that the API was enabled.
  if (!isWritten && on.value === false) return { code: 'workspace_off', since: on.since, until: on.until };
  const able = periodAt(enabled, at);
  if (able.value === false) {
    const { since, until } = able;
    return { code: 'disabled_then', since, until, more: disabling(able, endpoint) };
  }
  // A filter that was replaced is not known any more.
  const { since, until, change } = periodAt(filter, at);
  if (isFiltered && until === null) return { code: 'filtered', since, until, more: { user: userOf(change) } };
  return { code: 'unknown', since: null, until: null };
}

function isExact({ inexactTypes }: Case, rows: readonly { eventType: string }[]): boolean {
  return !rows.some(({ eventType }) => inexactTypes.has(eventType));
}

function typesOf(rows: readonly { eventType: string }[]): string[] {
  return [...new Set(rows.map(({ eventType }) => eventType))].toSorted();
}
