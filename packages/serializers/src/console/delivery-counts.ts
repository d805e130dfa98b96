import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { type Period, RANGES } from './range.ts';

const outcomes = {
  delivered: z.int().meta({ description: 'Attempts that the receiver accepted' }),
  failed: z.int().meta({ description: 'Attempts that failed at the receiver' }),
  notSent: z.int().meta({ description: 'Attempts that sent nothing, because of an error on our side' }),
  dead: z.int().meta({
    description: 'Attempts after which the delivery was dead. They are also counted as failed or not sent',
  }),
  meanDurationMs: z.int().nullable().meta({ description: 'Null if no attempt has a visible duration' }),
  slowestMs: z.int().nullable().meta({ description: 'Null if no attempt has a visible duration' }),
};

/** The outcomes of some attempts. */
export const attemptTotals = z
  .object({
    ...outcomes,
    successRate: z.number().min(0).max(1).nullable().meta({
      description:
        '`delivered` divided by the sum of `delivered` and `failed`, from 0 to 1; null if both are 0',
    }),
  })
  .meta({ id: 'AttemptTotals' });

const attemptBucket = z
  .object({ at: dateTime.meta({ description: 'When the bucket begins' }), ...outcomes })
  .meta({ id: 'AttemptBucket' });

/** The period of a response. */
export const periodFields = {
  range: z.enum(RANGES),
  bucketSeconds: z.int().meta({ description: 'The length of a bucket' }),
  since: dateTime.meta({ description: 'When the first bucket begins' }),
};

/** The number of attempts by outcome, over time. */
export const deliveryCounts = z
  .object({
    ...periodFields,
    buckets: z.array(attemptBucket).meta({
      description: 'Every bucket of the period, oldest first. The last one is incomplete',
    }),
    totals: attemptTotals,
  })
  .meta({ id: 'DeliveryCounts' });

/** The counts in the API. */
export type DeliveryCounts = z.infer<typeof deliveryCounts>;

/** The outcomes of the attempts of an endpoint that began in one bucket. */
export interface CountRow {
  endpointId: number;
  at: Date;
  delivered: number;
  failed: number;
  notSent: number;
  dead: number;
  /** Attempts without a visible duration, which the following sums exclude. */
  untimed: number;
  durationMs: number;
  slowestMs: number;
}

/**
 * Reads the counts of each endpoint by bucket; a bucket without attempts has no row.
 *
 * Each endpoint is one scan of the primary key, over 60 rows of minutes, or the hours of a week and the days before them. Sums
 * are read as float8, because an `int` can overflow.
 *
 * @param endpoints a condition on `webhook_endpoints AS endpoint`.
 */
export function findCounts(
  db: Queryable,
  companyId: number,
  { widths, bucketSeconds, since }: Period,
  endpoints: Prisma.Sql,
): Promise<CountRow[]> {
  return db.query<CountRow>(Prisma.sql`
      SELECT endpoint.id AS "endpointId", counted.*
      FROM webhook_endpoints AS endpoint
      CROSS JOIN LATERAL (
        SELECT date_bin(make_interval(secs => ${bucketSeconds}::float8), at, ${since}::timestamptz) AS at,
          sum(delivered)::float8 AS delivered, sum(failed)::float8 AS failed, sum(not_sent)::float8 AS "notSent",
          sum(dead)::float8 AS dead, sum(untimed)::float8 AS untimed, sum(duration_ms)::float8 AS "durationMs",
          max(slowest_ms) AS "slowestMs"
        FROM attempt_counts
        WHERE company_id = endpoint.company_id AND endpoint_id = endpoint.id AND width = ANY (${[...widths]}::count_width[])
          AND at >= ${since}::timestamptz
        GROUP BY 1
      ) AS counted
      WHERE endpoint.company_id = ${companyId} AND ${endpoints}`);
}

/** Reads the counts of a workspace, including removed endpoints, or those of one endpoint. */
export function findDeliveryCounts(
  db: Queryable,
  companyId: number,
  period: Period,
  endpointId: number | undefined,
): Promise<CountRow[]> {
  const endpoints = endpointId === undefined ? Prisma.sql`true` : Prisma.sql`endpoint.id = ${endpointId}`;
  return findCounts(db, companyId, period, endpoints);
}

/** Builds the counts object: every bucket of the period, with or without attempts. */
export function serializeDeliveryCounts(period: Period, rows: readonly CountRow[]): DeliveryCounts {
  const byStart = groupedBy(rows, ({ at }) => at.getTime());
  return {
    ...serializePeriod(period),
    buckets: period.starts.map((at) => ({
      at: at.toISOString(),
      ...outcomesOf(byStart.get(at.getTime()) ?? []),
    })),
    totals: totalsOf(rows),
  };
}

/** Returns the fields of a period. */
export function serializePeriod({ range, bucketSeconds, since }: Period) {
  return { range, bucketSeconds, since: since.toISOString() };
}

/** Groups rows by key, in their order. */
export function groupedBy<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** Adds up counts. */
export function totalsOf(rows: readonly CountRow[]): z.infer<typeof attemptTotals> {
  const outcomesOfAll = outcomesOf(rows);
  const { delivered, failed } = outcomesOfAll;
  const tried = delivered + failed;
  return { ...outcomesOfAll, successRate: tried === 0 ? null : delivered / tried };
}

function outcomesOf(rows: readonly CountRow[]) {
  const sum = (valueOf: (row: CountRow) => number) => rows.reduce((total, row) => total + valueOf(row), 0);
  const delivered = sum((row) => row.delivered);
  const failed = sum((row) => row.failed);
  const notSent = sum((row) => row.notSent);
  const timed = delivered + failed + notSent - sum((row) => row.untimed);
  return {
    delivered,
    failed,
    notSent,
    dead: sum((row) => row.dead),
    meanDurationMs: timed === 0 ? null : Math.round(sum((row) => row.durationMs) / timed),
    slowestMs: timed === 0 ? null : rows.reduce((most, row) => Math.max(most, row.slowestMs), 0),
  };
}
