import type { Database } from '@deal-signals/db/database';

/** How many hours the counts by minute are kept. The last hour is shown; the rest is a margin. */
const MINUTES_KEPT_HOURS = 3;
/** How many days the counts by hour are kept before they are added to their day. The last week is shown; one day is a margin. */
const HOURS_KEPT_DAYS = 8;
/** How many days the counts by day and the days of API keys are kept. The first bucket of 90 days begins up to 90 days ago. */
const DAYS_KEPT = 90;
/** Maximum rows of a kind that one call removes. It bounds the duration of the call; the next call removes the rest. */
const BATCH = 2_000;

/**
 * Removes counts that are no longer shown, oldest first, in one statement, which costs four index lookups if there are none. The
 * same statement adds hours to the row of their day, so a reader that sums hours and days counts each attempt once. Rows that
 * another worker is removing are skipped. Rows of this age are not written by anything else.
 *
 * @returns the number of removed rows.
 */
export async function removeOldCounts(db: Database): Promise<number> {
  const [removed] = await db.$queryRaw<[{ rows: number }]>`
    WITH minutes AS (
      DELETE FROM attempt_counts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM attempt_counts
        WHERE width = 'minute' AND at < statement_timestamp() - make_interval(hours => ${MINUTES_KEPT_HOURS})
        ORDER BY width, at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ))
      RETURNING 1
    ), hours AS (
      DELETE FROM attempt_counts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM attempt_counts
        WHERE width = 'hour' AND at < statement_timestamp() - make_interval(days => ${HOURS_KEPT_DAYS})
        ORDER BY width, at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ))
      RETURNING *, date_trunc('day', at, 'UTC') AS day
    ), added_to_days AS (
      INSERT INTO attempt_counts AS counts
        (company_id, endpoint_id, width, at, delivered, failed, not_sent, dead, untimed, duration_ms, slowest_ms)
      SELECT company_id, endpoint_id, 'day', day, sum(delivered), sum(failed), sum(not_sent), sum(dead), sum(untimed),
        sum(duration_ms), max(slowest_ms)
      FROM hours
      -- The same statement may remove the row of an older day.
      WHERE day >= statement_timestamp() - make_interval(days => ${DAYS_KEPT})
      GROUP BY company_id, endpoint_id, day
      -- A fixed order, so that two calls do not deadlock.
      ORDER BY company_id, endpoint_id, day
      ON CONFLICT (company_id, endpoint_id, width, at) DO UPDATE
      SET delivered = counts.delivered + excluded.delivered,
          failed = counts.failed + excluded.failed,
          not_sent = counts.not_sent + excluded.not_sent,
          dead = counts.dead + excluded.dead,
          untimed = counts.untimed + excluded.untimed,
          duration_ms = counts.duration_ms + excluded.duration_ms,
          slowest_ms = greatest(counts.slowest_ms, excluded.slowest_ms)
    ), days AS (
      DELETE FROM attempt_counts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM attempt_counts
        WHERE width = 'day' AND at < statement_timestamp() - make_interval(days => ${DAYS_KEPT})
        ORDER BY width, at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ))
      RETURNING 1
    ), key_days AS (
      DELETE FROM api_key_days WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM api_key_days
        WHERE day < (statement_timestamp() AT TIME ZONE 'UTC')::date - ${DAYS_KEPT}::int
        ORDER BY day LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ))
      RETURNING 1
    )
    SELECT ((SELECT count(*) FROM minutes) + (SELECT count(*) FROM hours) + (SELECT count(*) FROM days)
      + (SELECT count(*) FROM key_days))::int AS rows`;
  return removed.rows;
}
