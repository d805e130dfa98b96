import { Prisma } from '@deal-signals/db/generated/client';

/**
 * Returns the common table expressions that add attempts to the counts of their endpoints, by the minute and the hour in which
 * each attempt began.
 *
 * They belong to the statement that records the outcomes, so attempts and counts always agree. That statement has locked the
 * endpoint's row, so two writers never meet at a row of counts, and these rows need no place in the lock order. If the statement
 * waited for the endpoint, its snapshot is older than the counts; `ON CONFLICT` adds to the committed values, not to those of the
 * snapshot.
 *
 * Test events are not counted, as in `deadDeliveries` of the status, because they are not events of the workspace. Deliveries
 * that die without an attempt because their endpoint was removed are not counted either: a removal would look like a spike of
 * failures.
 *
 * @param attempts a query of attempts: company_id, endpoint_id, started_at, outcome, status (the delivery's new one) and
 *   duration_ms, which is null where it must not be shown.
 */
export function countAttempts(attempts: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO attempt_counts AS counts
      (company_id, endpoint_id, width, at, delivered, failed, not_sent, dead, untimed, duration_ms, slowest_ms)
    SELECT company_id, endpoint_id, width, date_trunc(width::text, started_at, 'UTC') AS bucket,
      count(*) FILTER (WHERE outcome = 'delivered'),
      count(*) FILTER (WHERE outcome IN ('failed', 'gone')),
      count(*) FILTER (WHERE outcome = 'not_sent'),
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
        not_sent = counts.not_sent + excluded.not_sent,
        dead = counts.dead + excluded.dead,
        untimed = counts.untimed + excluded.untimed,
        duration_ms = counts.duration_ms + excluded.duration_ms,
        slowest_ms = greatest(counts.slowest_ms, excluded.slowest_ms)`;
}
