import type { ChangeRow, History, WhyEndpointRow } from '@deal-signals/serializers/console/why/endpoints';

/** A time in which something had one value. */
export interface Period<Value> {
  /** Null if nothing that is stored says what it was. */
  value: Value | null;
  /** When it began; null if that is not recorded. */
  since: Date | null;
  /** When it ended; null if it has not. */
  until: Date | null;
  /** The change that began it. */
  change: ChangeRow | null;
}

/** The periods of something, oldest first. */
export type Timeline<Value> = Period<Value>[];

interface Step<Value> {
  change: ChangeRow;
  before: Value | null;
  after: Value | null;
}

/** The period that a moment is in. */
export function periodAt<Value>(timeline: Timeline<Value>, at: Date): Period<Value> {
  const period = timeline.findLast(({ since }) => since === null || since <= at);
  return period ?? { value: null, since: null, until: null, change: null };
}

/** Whether an endpoint was enabled, as its audit records say. */
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
  // Removing an endpoint disables it, so its row does not say what it was before.
  return timelineOf(steps, removedAt === null ? enabled : null, history);
}

/** What an endpoint subscribed to, as its audit records say. */
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

/** Whether an endpoint had a filter, as its audit records say. They do not repeat it: a new period begins with each filter. */
export function filterTimeline({ filter }: WhyEndpointRow, history: History): Timeline<boolean> {
  const steps = history.changes.flatMap((change): Step<boolean>[] => {
    const after = change.details['hasFilter'] === true;
    if (change.action === 'webhook.created') return [{ change, before: null, after }];
    if (change.action !== 'webhook.updated' || !changedFields(change).includes('filter')) return [];
    return [{ change, before: null, after }];
  });
  return timelineOf(steps, filter !== null, history);
}

/** Whether the API was enabled for a workspace, as its audit records say. */
export function apiTimeline(apiEnabled: boolean, history: History): Timeline<boolean> {
  const steps = history.changes.map((change): Step<boolean> => {
    const after = change.action === 'workspace.api_enabled';
    return { change, before: !after, after };
  });
  return timelineOf(steps, apiEnabled, history);
}

/**
 * @param steps oldest first.
 * @param now the value that is stored now; null if that says nothing.
 */
function timelineOf<Value>(
  steps: readonly Step<Value>[],
  now: Value | null,
  { knownSince }: History,
): Timeline<Value> {
  const [first] = steps;
  // What was before the first change that is known, if no other can have come before it.
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
    // Something has changed it without a record.
    const isContradicted = next === undefined && now !== null && typeof value === 'boolean' && value !== now;
    return { value: isContradicted ? null : value, since: change.at, until: next?.change.at ?? null, change };
  });
  return [begin, ...periods];
}

function changedFields({ details }: ChangeRow): string[] {
  return namesIn(details['changed']) ?? [];
}

/** A list of names in the details of a record; null if there is none. */
function namesIn(value: unknown): string[] | null {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : null;
}
