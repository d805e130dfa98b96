import type { Database } from '@deal-signals/db/database';

/**
 * Compares the attempt counts of each endpoint, minute and hour with the log of attempts, without test events.
 *
 * @returns the differences; none if the counts match. Failed attempts and attempts that were not sent count together, because
 * the log does not distinguish them.
 */
export function miscounted(db: Database): Promise<object[]> {
  return db.$queryRaw<object[]>`
    WITH logged AS (
      SELECT delivery.endpoint_id, width, date_trunc(width::text, started_at, 'UTC') AS at,
        count(*) FILTER (WHERE status_code BETWEEN 200 AND 299)::int AS delivered,
        count(*) FILTER (WHERE status_code IS NULL OR status_code NOT BETWEEN 200 AND 299)::int AS others,
        count(*) FILTER (WHERE duration_ms IS NULL)::int AS untimed,
        coalesce(sum(duration_ms), 0)::int AS duration_ms, coalesce(max(duration_ms), 0) AS slowest_ms
      FROM webhook_attempts
      JOIN deliveries AS delivery ON delivery.id = delivery_id
      CROSS JOIN unnest(ARRAY['minute', 'hour']::count_width[]) AS width
      WHERE delivery.event_type <> 'integration.ping'
      GROUP BY 1, 2, 3
    ), counted AS (
      SELECT endpoint_id, width, at, delivered, failed + not_sent AS others, untimed, duration_ms::int AS duration_ms,
        slowest_ms
      FROM attempt_counts
    )
    SELECT endpoint_id AS "endpointId", width::text, at, row_to_json(logged) AS logged, row_to_json(counted) AS counted
    FROM logged
    FULL JOIN counted USING (endpoint_id, width, at)
    WHERE (logged.delivered, logged.others, logged.untimed, logged.duration_ms, logged.slowest_ms)
      IS DISTINCT FROM (counted.delivered, counted.others, counted.untimed, counted.duration_ms, counted.slowest_ms)`;
}
