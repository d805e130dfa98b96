import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { type BacklogRow, bounded, rateLimited } from './endpoint-health.ts';

/** Number of consecutive failures from which an endpoint counts as failing. One or two may be a restart of the receiver. */
const FAILURES = 3;
/** A delivery that has been due for this long is overdue. */
const OVERDUE_MS = 5 * 60_000;
/** How long before its expiry a key is reported. */
const EXPIRING_MS = 14 * 86_400_000;

const endpointFacts = { endpointId: z.int(), url: z.string() };
const pending = {
  pendingDeliveries: z
    .int()
    .meta({ description: 'Deliveries that wait at the endpoint, counted up to 1,000' }),
  pendingDeliveriesExact: z.boolean(),
};

const endpointDisabled = z
  .object({
    kind: z.literal('endpoint_disabled').meta({
      description: 'The system or an admin has disabled the endpoint, and deliveries wait at it',
    }),
    ...endpointFacts,
    ...pending,
    reason: z.string().nullable().meta({ description: 'The `disabledReason` of the endpoint' }),
    lastError: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    disabledAt: dateTime.nullable().meta({
      description:
        'When the system disabled it; null if an admin did, or if the audit log has no record of it',
    }),
  })
  .meta({ id: 'EndpointDisabledAttention' });

const deliveriesOverdue = z
  .object({
    kind: z.literal('deliveries_overdue').meta({
      description: 'A delivery to the enabled endpoint has been due for more than five minutes',
    }),
    ...endpointFacts,
    ...pending,
    dueAt: dateTime.meta({ description: 'When the delivery that has waited longest became due' }),
  })
  .meta({ id: 'DeliveriesOverdueAttention' });

const endpointFailing = z
  .object({
    kind: z.literal('endpoint_failing').meta({
      description: 'The last three attempts or more at the enabled endpoint have all failed',
    }),
    ...endpointFacts,
    ...pending,
    consecutiveFailures: z.int(),
    failuresLeft: z
      .int()
      .meta({ description: 'Number of further consecutive failures that disable it, at least' }),
    failingSince: dateTime.nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'EndpointFailingAttention' });

const endpointUnverified = z
  .object({
    kind: z.literal('endpoint_unverified').meta({
      description: 'Nothing is sent to the endpoint until a test event succeeds',
    }),
    ...endpointFacts,
    ...pending,
    createdAt: dateTime,
  })
  .meta({ id: 'EndpointUnverifiedAttention' });

const deadLetters = z
  .object({
    kind: z
      .literal('dead_letters')
      .meta({ description: 'Dead deliveries that have been neither retried nor dismissed' }),
    ...endpointFacts,
    deadDeliveries: z.int().meta({ description: 'Counted up to 1,000' }),
    deadDeliveriesExact: z.boolean(),
    oldestAt: dateTime.nullable().meta({ description: 'When the oldest event among them was created' }),
  })
  .meta({ id: 'DeadLettersAttention' });

const keyExpiring = z
  .object({
    kind: z.literal('key_expiring').meta({
      description:
        'The key expires within 14 days and has no successor, or is still used although it has one',
    }),
    keyId: z.int(),
    name: z.string(),
    prefix: z.string(),
    expiresAt: dateTime,
    rotatedAt: dateTime.nullable(),
    lastUsedAt: dateTime.nullable(),
  })
  .meta({ id: 'KeyExpiringAttention' });

const deliveriesRateLimited = z
  .object({
    kind: z.literal('deliveries_rate_limited').meta({
      description:
        'Deliveries wait only for the rate limit of the endpoint, for more than five minutes to come',
    }),
    ...endpointFacts,
    ...rateLimited.shape,
  })
  .meta({ id: 'DeliveriesRateLimitedAttention' });

const noEndpoint = z
  .object({ kind: z.literal('no_endpoint').meta({ description: 'The workspace has no webhook endpoint' }) })
  .meta({ id: 'NoEndpointAttention' });

const noKey = z
  .object({ kind: z.literal('no_key').meta({ description: 'The workspace has no working API key' }) })
  .meta({ id: 'NoKeyAttention' });

/** What needs an admin's attention, most severe first. */
export const attention = z
  .array(
    z.discriminatedUnion('kind', [
      endpointDisabled,
      deliveriesOverdue,
      endpointFailing,
      endpointUnverified,
      deadLetters,
      keyExpiring,
      deliveriesRateLimited,
      noEndpoint,
      noKey,
    ]),
  )
  .meta({ description: "What needs an admin's attention, most severe first" });

type Attention = z.infer<typeof attention>;

/** The state of an endpoint. */
export interface EndpointStateRow {
  id: number;
  url: string;
  description: string | null;
  enabled: boolean;
  disabledReason: string | null;
  /** When the system disabled it, if it did and the audit log has a record of it. */
  disabledAt: Date | null;
  consecutiveFailures: number;
  failingSince: Date | null;
  lastError: string | null;
  awaitingVerification: boolean;
  createdAt: Date;
}

/** An API key that works. */
export interface KeyRow {
  id: number;
  name: string;
  prefix: string;
  expiresAt: Date | null;
  rotatedAt: Date | null;
  lastUsedAt: Date | null;
}

/** Reports whether the last attempts at an enabled endpoint have all failed. */
export function isFailing({ enabled, consecutiveFailures }: EndpointStateRow): boolean {
  return enabled && consecutiveFailures >= FAILURES;
}

/**
 * Lists what needs an admin's attention: first what stops deliveries, then what may stop them, then open decisions. Within a
 * kind, the endpoints with most waiting deliveries come first, and the keys that expire soonest.
 */
export function whatNeedsAttention({
  endpoints,
  backlogs,
  keys,
  disableAfter,
  now,
}: {
  endpoints: readonly EndpointStateRow[];
  /** The backlogs of the same endpoints. */
  backlogs: readonly BacklogRow[];
  keys: readonly KeyRow[];
  /** Number of consecutive failures that disable an endpoint. */
  disableAfter: number;
  now: Date;
}): Attention {
  const states = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const known = backlogs.flatMap((backlog) => {
    const endpoint = states.get(backlog.endpointId);
    return endpoint === undefined ? [] : [{ endpoint, backlog }];
  });
  const byPending = known.toSorted((one, other) => other.backlog.pending - one.backlog.pending);
  const byDead = known.toSorted((one, other) => other.backlog.dead - one.backlog.dead);
  const facts = ({ endpoint: { id, url }, backlog }: (typeof known)[number]) => {
    const { count, isExact } = bounded(backlog.pending);
    return { endpointId: id, url, pendingDeliveries: count, pendingDeliveriesExact: isExact };
  };
  const isOpen = ({ enabled, awaitingVerification }: EndpointStateRow) => enabled && !awaitingVerification;
  return [
    ...byPending
      .filter(
        ({ endpoint, backlog }) => !endpoint.enabled && (endpoint.disabledAt !== null || backlog.pending > 0),
      )
      .map((one) => ({
        kind: 'endpoint_disabled' as const,
        ...facts(one),
        reason: one.endpoint.disabledReason,
        lastError: one.endpoint.lastError,
        disabledAt: dateTimeOrNull(one.endpoint.disabledAt),
      })),
    ...byPending.flatMap((one) => {
      const dueAt = one.backlog.oldestDue?.dueAt;
      if (dueAt === undefined || !isOpen(one.endpoint) || now.getTime() - dueAt.getTime() < OVERDUE_MS)
        return [];
      return [{ kind: 'deliveries_overdue' as const, ...facts(one), dueAt: dueAt.toISOString() }];
    }),
    ...byPending
      .filter(({ endpoint }) => isFailing(endpoint))
      .map((one) => ({
        kind: 'endpoint_failing' as const,
        ...facts(one),
        consecutiveFailures: one.endpoint.consecutiveFailures,
        failuresLeft: Math.max(1, disableAfter - one.endpoint.consecutiveFailures),
        failingSince: dateTimeOrNull(one.endpoint.failingSince),
        lastError: one.endpoint.lastError,
      })),
    ...byPending
      .filter(({ endpoint }) => endpoint.enabled && endpoint.awaitingVerification)
      .map((one) => ({
        kind: 'endpoint_unverified' as const,
        ...facts(one),
        createdAt: one.endpoint.createdAt.toISOString(),
      })),
    ...byDead
      .filter(({ backlog }) => backlog.dead > 0)
      .map(({ endpoint: { id, url }, backlog }) => ({
        kind: 'dead_letters' as const,
        endpointId: id,
        url,
        deadDeliveries: bounded(backlog.dead).count,
        deadDeliveriesExact: bounded(backlog.dead).isExact,
        oldestAt: dateTimeOrNull(backlog.oldestDeadAt),
      })),
    ...expiring(keys, now),
    ...byPending.flatMap(({ endpoint, backlog }) => {
      const waiting = backlog.rateLimited;
      if (waiting === null || !isOpen(endpoint) || waiting.secondsLeft * 1_000 <= OVERDUE_MS) return [];
      return [
        { kind: 'deliveries_rate_limited' as const, endpointId: endpoint.id, url: endpoint.url, ...waiting },
      ];
    }),
    ...(endpoints.length === 0 ? [{ kind: 'no_endpoint' as const }] : []),
    ...(keys.length === 0 ? [{ kind: 'no_key' as const }] : []),
  ];
}

/** Returns the keys that expire soon although they seem to be in use. */
function expiring(keys: readonly KeyRow[], now: Date): Attention {
  return keys
    .flatMap(({ id, name, prefix, expiresAt, rotatedAt, lastUsedAt }) => {
      if (expiresAt === null || expiresAt.getTime() - now.getTime() > EXPIRING_MS) return [];
      const isReplaced = rotatedAt !== null && (lastUsedAt === null || lastUsedAt <= rotatedAt);
      if (isReplaced) return [];
      return [
        {
          kind: 'key_expiring' as const,
          keyId: id,
          name,
          prefix,
          expiresAt: expiresAt.toISOString(),
          rotatedAt: dateTimeOrNull(rotatedAt),
          lastUsedAt: dateTimeOrNull(lastUsedAt),
        },
      ];
    })
    .toSorted((one, other) => one.expiresAt.localeCompare(other.expiresAt));
}
