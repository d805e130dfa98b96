import type { Queryable } from '@deal-signals/db/queryable';
import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import {
  attemptTotals,
  type CountRow,
  findCounts,
  groupedBy,
  periodFields,
  serializePeriod,
  totalsOf,
} from './delivery-counts.ts';
import type { Period } from './range.ts';

/** Maximum count of the deliveries of each endpoint. A workspace has at most 100 endpoints. */
export const MAX_COUNTED = 1_000;
/** Number of the oldest pending deliveries of an endpoint among which the one that has been due longest is determined. */
const MAX_LOOKED_AT = 100;

const isExact = z.boolean().meta({
  description: 'False if there are more than the count, which is then the maximum that is counted',
});

/** Deliveries that wait only for the rate limit of their endpoint. */
export const rateLimited = z
  .object({
    maxPerMinute: z.int().meta({ description: 'The `maxPerMinute` of the endpoint' }),
    deliveries: z.int().meta({ description: 'Number of waiting deliveries, counted up to 1,000' }),
    deliveriesExact: isExact,
    secondsLeft: z.int().meta({
      description: 'Approximate time that the limit takes for these; more if `deliveriesExact` is false',
    }),
  })
  .meta({ id: 'RateLimitedDeliveries' });

/** The deliveries that wait for a rate limit, in the API. */
export type RateLimited = z.infer<typeof rateLimited>;

const endpointHealth = z
  .object({
    endpointId: z.int(),
    delivered: z.array(z.int()).meta({ description: 'Attempts that the receiver accepted, for each bucket' }),
    failed: z.array(z.int()).meta({ description: 'Attempts that failed at the receiver, for each bucket' }),
    meanDurationsMs: z.array(z.int().nullable()).meta({
      description: 'Average duration of the attempts, for each bucket; null without attempts',
    }),
    totals: attemptTotals,
    pendingDeliveries: z.int().meta({ description: 'Counted up to 1,000' }),
    pendingDeliveriesExact: isExact,
    deadDeliveries: z.int().meta({
      description: 'Dead deliveries that have not been dismissed, without test events. Counted up to 1,000',
    }),
    deadDeliveriesExact: isExact,
    oldestDeadAt: dateTime
      .nullable()
      .meta({ description: 'When the event of the oldest of them was created' }),
    oldestDueAt: dateTime.nullable().meta({
      description:
        'When the delivery that has waited longest became due, not counting the time in which the rate limit of the endpoint did not allow it; null if none is due',
    }),
    rateLimited: rateLimited.nullable().meta({
      description: 'The deliveries that wait only for the rate limit of the endpoint; null if there are none',
    }),
  })
  .meta({ id: 'EndpointHealth' });

/** The health of all endpoints over a period. */
export const endpointHealthList = z
  .object({
    ...periodFields,
    disableAfter: z.int().meta({ description: 'Number of consecutive failures that disable an endpoint' }),
    data: z.array(endpointHealth).meta({ description: 'The endpoints of the workspace, by id' }),
  })
  .meta({ id: 'EndpointHealthList' });

/** The health of all endpoints in the API. */
export type EndpointHealthList = z.infer<typeof endpointHealthList>;

/** The current backlog of an endpoint. */
export interface BacklogRow {
  endpointId: number;
  /** At most `MAX_COUNTED + 1`. */
  pending: number;
  /** At most `MAX_COUNTED + 1`. */
  dead: number;
  oldestDeadAt: Date | null;
  /**
   * The delivery that has been due longest, among the oldest `MAX_LOOKED_AT` and the next ones to be claimed; null while the rate
   * limit of the endpoint allows none.
   */
  oldestDue: { id: bigint; createdAt: Date; dueAt: Date } | null;
  /** The deliveries that wait only for the rate limit; null if there are none. */
  rateLimited: RateLimited | null;
}

/**
 * Reads the backlog of each endpoint that was not removed, by id. It reads a bounded number of index entries of each endpoint, so
 * a backlog of a million costs no more than one of `MAX_COUNTED`.
 */
export async function findBacklogs(db: Queryable, companyId: number): Promise<BacklogRow[]> {
  const read = MAX_COUNTED + 1;
  // The sort orders match the indexes. Otherwise the planner could scan the table until it has found enough rows.
  const query = Prisma.sql`
    SELECT endpoint.id AS "endpointId", pending.count AS pending, dead.count AS dead, dead.oldest AS "oldestDeadAt",
      due.id AS "dueId", due.created_at AS "dueCreatedAt", greatest(due.next_attempt_at, rate_limit.open_since) AS "dueAt",
      rate_limit.max_per_minute AS "maxPerMinute", rate_limit.waiting
    FROM webhook_endpoints AS endpoint
    LEFT JOIN LATERAL (
      ${rateLimitOf(Prisma.sql`endpoint`)}
    ) AS rate_limit ON true
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM (
        SELECT FROM pending_deliveries
        WHERE company_id = endpoint.company_id AND endpoint_id = endpoint.id
        ORDER BY company_id, endpoint_id, id LIMIT ${read}
      ) AS counted
    ) AS pending
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, min(created_at) AS oldest FROM (
        SELECT created_at FROM webhook_deliveries
        WHERE company_id = endpoint.company_id AND endpoint_id = endpoint.id AND ${OPEN_DEAD_LETTER}
        ORDER BY company_id, endpoint_id, created_at, id LIMIT ${read}
      ) AS counted
    ) AS dead
    LEFT JOIN LATERAL (
      SELECT id, created_at, next_attempt_at FROM (
        (SELECT id, created_at, next_attempt_at FROM pending_deliveries
         WHERE company_id = endpoint.company_id AND endpoint_id = endpoint.id
         ORDER BY company_id, endpoint_id, id LIMIT ${MAX_LOOKED_AT})
        UNION ALL
        (SELECT id, created_at, next_attempt_at FROM pending_deliveries
         WHERE company_id = endpoint.company_id AND endpoint_id = endpoint.id AND ready AND NOT requeued
         ORDER BY requeued, company_id, endpoint_id, id LIMIT 1)
        UNION ALL
        (SELECT id, created_at, next_attempt_at FROM pending_deliveries
         WHERE company_id = endpoint.company_id AND endpoint_id = endpoint.id AND ready AND requeued
         ORDER BY requeued, company_id, endpoint_id, id LIMIT 1)
      ) AS candidate
      WHERE next_attempt_at <= statement_timestamp()
      ORDER BY next_attempt_at, id LIMIT 1
    ) AS due ON rate_limit.room IS DISTINCT FROM 0
    WHERE endpoint.company_id = ${companyId} AND endpoint.removed_at IS NULL
    ORDER BY endpoint.id`;
  const rows = await db.query<
    Omit<BacklogRow, 'oldestDue' | 'rateLimited'> & {
      dueId: bigint | null;
      dueCreatedAt: Date | null;
      dueAt: Date | null;
    } & RateLimitRow
  >(query);
  return rows.map(({ dueId: id, dueCreatedAt: createdAt, dueAt, maxPerMinute, waiting, ...row }) => ({
    ...row,
    rateLimited: serializeRateLimited({ maxPerMinute, waiting }),
    oldestDue: id === null || createdAt === null || dueAt === null ? null : { id, createdAt, dueAt },
  }));
}

/** The rate limit of an endpoint, and the number of deliveries that wait only for it. Both are null without a limit. */
export interface RateLimitRow {
  maxPerMinute: number | null;
  /** At most `MAX_COUNTED + 1`. */
  waiting: number | null;
}

/**
 * Returns the query for the rate limit of an endpoint: the number of deliveries that it allows now (`room`), the time since or
 * from which it does (`open_since`), and the number of ready deliveries beyond that (`waiting`).
 *
 * @param endpoint the name of a row that has `company_id` and `id`.
 */
export function rateLimitOf(endpoint: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT max_per_minute, open_since, room, greatest(0, ready.count - room)::int AS waiting FROM (
      SELECT max_per_minute, rate_limit_open_since(max_per_minute, claimed_at, claimed) AS open_since,
        remaining_rate_limit(max_per_minute, claimed_at, claimed) AS room
      FROM endpoint_rate_limits WHERE company_id = ${endpoint}.company_id AND endpoint_id = ${endpoint}.id LIMIT 1
    ) AS own CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM (
        SELECT FROM (
          SELECT kind.requeued, ${endpoint}.company_id, ${endpoint}.id AS endpoint_id FROM (VALUES (false), (true)) AS kind (requeued)
        ) AS lane CROSS JOIN LATERAL (
          SELECT FROM pending_deliveries
          WHERE ready AND requeued = lane.requeued AND company_id = lane.company_id
            AND (endpoint_id, id) > (lane.endpoint_id, 0::bigint) AND (endpoint_id, id) <= (lane.endpoint_id, ${GREATEST_ID})
          ORDER BY requeued, company_id, endpoint_id, id
        ) AS one_lane
        LIMIT own.room + ${MAX_COUNTED + 1}
      ) AS bounded
    ) AS ready`;
}

/** Returns the deliveries that wait for a rate limit, with the approximate time that it takes; null if none waits. */
export function serializeRateLimited({ maxPerMinute, waiting }: RateLimitRow): RateLimited | null {
  if (maxPerMinute === null || waiting === null || waiting === 0) return null;
  const { count, isExact: countIsExact } = bounded(waiting);
  return {
    maxPerMinute,
    deliveries: count,
    deliveriesExact: countIsExact,
    secondsLeft: Math.ceil((60 * count) / maxPerMinute),
  };
}

/** Reads the counts of the endpoints that were not removed. */
export function findPresentCounts(db: Queryable, companyId: number, period: Period): Promise<CountRow[]> {
  return findCounts(db, companyId, period, Prisma.sql`endpoint.removed_at IS NULL`);
}

/** Returns a count of at most `MAX_COUNTED`, and whether it is exact. */
export function bounded(count: number): { count: number; isExact: boolean } {
  return { count: Math.min(count, MAX_COUNTED), isExact: count <= MAX_COUNTED };
}

/** Builds the list of all endpoints. */
export function serializeEndpointHealth(
  period: Period,
  backlogs: readonly BacklogRow[],
  counts: readonly CountRow[],
  disableAfter: number,
): EndpointHealthList {
  const ofEndpoint = groupedBy(counts, ({ endpointId }) => endpointId);
  return {
    ...serializePeriod(period),
    disableAfter,
    data: backlogs.map(({ endpointId, oldestDeadAt, oldestDue, ...backlog }) => {
      const rows = ofEndpoint.get(endpointId) ?? [];
      const byStart = new Map(rows.map((row) => [row.at.getTime(), row]));
      const pending = bounded(backlog.pending);
      const dead = bounded(backlog.dead);
      return {
        endpointId,
        delivered: period.starts.map((at) => byStart.get(at.getTime())?.delivered ?? 0),
        failed: period.starts.map((at) => byStart.get(at.getTime())?.failed ?? 0),
        meanDurationsMs: period.starts.map((at) => {
          const row = byStart.get(at.getTime());
          return row === undefined ? null : totalsOf([row]).meanDurationMs;
        }),
        totals: totalsOf(rows),
        pendingDeliveries: pending.count,
        pendingDeliveriesExact: pending.isExact,
        deadDeliveries: dead.count,
        deadDeliveriesExact: dead.isExact,
        oldestDeadAt: dateTimeOrNull(oldestDeadAt),
        oldestDueAt: dateTimeOrNull(oldestDue?.dueAt ?? null),
        rateLimited: backlog.rateLimited,
      };
    }),
  };
}
