import { Prisma } from '@deal-signals/db/generated/client';

/**
 * The part of a statement that adds attempts to the counts of their endpoints, by the minute and the hour in which each began.
 *
 * It belongs in the statement that records the outcomes, so there is no attempt without its count and no count without its
 * attempt. Whoever records an outcome has locked the row of the endpoint, so two of them never meet at a row of counts, and
 * these rows need no place in the order of locks. If the statement waited for the endpoint, its snapshot is older than the
 * counts; `ON CONFLICT` adds to what is committed and not to what the snapshot shows.
 *
 * Test events are left out, as in `deadDeliveries` of the status: they are no events of the workspace. So are deliveries that die
 * without an attempt, because their endpoint was removed: a removal would show up as a spike of failures.
 *
 * @param attempts a query of attempts: company_id, endpoint_id, started_at, outcome, status (the delivery's new one) and
 *   duration_ms, which is null where it must not be shown.
 */
export function countAttempts(attempts: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO attempt_counts AS counts
      (company_id, endpoint_id, width, at, delivered, failed, refused, dead, untimed, duration_ms, slowest_ms)
    SELECT company_id, endpoint_id, width, date_trunc(width::text, started_at, 'UTC') AS bucket,
      count(*) FILTER (WHERE outcome = 'delivered'),
      count(*) FILTER (WHERE outcome IN ('failed', 'gone')),
      count(*) FILTER (WHERE outcome = 'refused'),
      count(*) FILTER (WHERE status = 'dead'),
      count(*) FILTER (WHERE duration_ms IS NULL),
      coalesce(sum(duration_ms), 0),
      coalesce(max(duration_ms), 0)
    FROM (${attempts}) AS attempts
    CROSS JOIN unnest(ARRAY['minute', 'hour']::count_width[]) AS width
    GROUP BY company_id, endpoint_id, width, bucket
    ON CONFLICT (company_id, endpoint_id, width, at) DO UPDATE
    SET delivered = counts.delivered + excluded.delivered,
        failed = counts.failed + excluded.failed,
        refused = counts.refused + excluded.refused,
        dead = counts.dead + excluded.dead,
        untimed = counts.untimed + excluded.untimed,
        duration_ms = counts.duration_ms + excluded.duration_ms,
        slowest_ms = greatest(counts.slowest_ms, excluded.slowest_ms)`;
}
