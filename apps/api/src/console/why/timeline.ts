import type { ChangeRow, History, WhyEndpointRow } from '@deal-signals/serializers/console/why/endpoints';

/** A period in which a property had one value. */
export interface Period<Value> {
  /** Null if no stored record shows the value. */
  value: Value | null;
  /** When the period began; null if that is not recorded. */
  since: Date | null;
  /** When the period ended; null if it has not. */
  until: Date | null;
  /** The change that began the period. */
  change: ChangeRow | null;
}

/** The periods of a property, oldest first. */
export type Timeline<Value> = Period<Value>[];

interface Step<Value> {
  change: ChangeRow;
  before: Value | null;
  after: Value | null;
}

/** Returns the period that contains a moment. */
export function periodAt<Value>(timeline: Timeline<Value>, at: Date): Period<Value> {
  const period = timeline.findLast(({ since }) => since === null || since <= at);
  return period ?? { value: null, since: null, until: null, change: null };
}

/** Returns when an endpoint was enabled, according to its audit records. */
export function enabledTimeline({ enabled, removedAt }: WhyEndpointRow, history: History): Timeline<boolean> {
  const steps = history.changes.flatMap((change): Step<boolean>[] => {
    if (change.action === 'webhook.created') return [{ change, before: null, after: true }];
    if (change.action === 'webhook.disabled') return [{ change, before: true, after: false }];
    if (change.action !== 'webhook.updated' || !changedFields(change).includes('enabled')) return [];
    const after = change.details['enabled'];
    return typeof after === 'boolean'
      ? [{ change, before: !after, after }]
      : [{ change, before: null, after: null }];
  });
  // Removing an endpoint disables it, so its row does not show the value before the removal.
  return timelineOf(steps, removedAt === null ? enabled : null, history);
}

/** Returns what an endpoint subscribed to, according to its audit records. */
export function subscriptionTimeline({ events }: WhyEndpointRow, history: History): Timeline<string[]> {
  const steps = history.changes.flatMap((change): Step<string[]>[] => {
    if (change.action === 'webhook.created') {
      return [{ change, before: null, after: namesIn(change.details['events']) }];
    }
    if (change.action !== 'webhook.updated' || !changedFields(change).includes('events')) return [];
    return [
      { change, before: namesIn(change.details['oldEvents']), after: namesIn(change.details['events']) },
    ];
  });
  return timelineOf(steps, events, history);
}

/** Returns when an endpoint had a filter, according to its audit records. These do not repeat it: each filter begins a new period. */
export function filterTimeline({ filter }: WhyEndpointRow, history: History): Timeline<boolean> {
  const steps = history.changes.flatMap((change): Step<boolean>[] => {
    const after = change.details['hasFilter'] === true;
    if (change.action === 'webhook.created') return [{ change, before: null, after }];
    if (change.action !== 'webhook.updated' || !changedFields(change).includes('filter')) return [];
    return [{ change, before: null, after }];
  });
  return timelineOf(steps, filter !== null, history);
}

/** Returns when the API was enabled for a workspace, according to its audit records. */
export function apiTimeline(apiEnabled: boolean, history: History): Timeline<boolean> {
  const steps = history.changes.map((change): Step<boolean> => {
    const after = change.action === 'workspace.api_enabled';
    return { change, before: !after, after };
  });
  return timelineOf(steps, apiEnabled, history);
}

/**
 * @param steps oldest first.
 * @param now the value that is stored now; null if it proves nothing.
 */
function timelineOf<Value>(
  steps: readonly Step<Value>[],
  now: Value | null,
  { knownSince }: History,
): Timeline<Value> {
  const [first] = steps;
  // The value before the first recorded change, if no unrecorded change can precede it.
  const start = knownSince !== null ? null : first === undefined ? now : first.before;
  const begin: Period<Value> = {
    value: start,
    since: null,
    until: first?.change.at ?? knownSince,
    change: null,
  };
  if (first === undefined && knownSince !== null) {
    return [begin, { value: now, since: knownSince, until: null, change: null }];
  }
  const periods = steps.map(({ change, after }, index): Period<Value> => {
    const next = steps[index + 1];
    const value = after ?? (next === undefined ? now : next.before);
    // The value was changed without a record.
    const isContradicted = next === undefined && now !== null && typeof value === 'boolean' && value !== now;
    return { value: isContradicted ? null : value, since: change.at, until: next?.change.at ?? null, change };
  });
  return [begin, ...periods];
}

function changedFields({ details }: ChangeRow): string[] {
  return namesIn(details['changed']) ?? [];
}

/** Returns a list of names from the details of a record; null if there is none. */
function namesIn(value: unknown): string[] | null {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : null;
}
