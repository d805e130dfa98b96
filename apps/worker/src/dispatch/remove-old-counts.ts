import type { Database } from '@deal-signals/db/database';

/** For how long the counts of minutes are kept: the last hour is shown, and the rest is a margin. */
const HOURS_OF_MINUTES = 3;
/** For how long the counts of hours are kept before they are added to their day: the last week is shown, and one more day. */
const DAYS_OF_HOURS = 8;
/** For how long the counts of days and the days of API keys are kept. The first bucket of 90 days begins up to 90 days ago. */
const DAYS_KEPT = 90;
/** How many rows of a kind one call removes, which bounds how long it takes. The next call removes the rest. */
const BATCH = 2_000;

/**
 * Removes counts that are no longer shown, oldest first, in one statement: four look-ups in indexes if there are none. Hours
 * are added to the row of their day by the same statement, so whoever adds up hours and days counts each attempt once. Rows
 * that somebody else is removing are skipped. Nobody else adds to rows that are this old.
 *
 * @returns how many rows were removed.
 */
export async function removeOldCounts(db: Database): Promise<number> {
  const [removed] = await db.$queryRaw<[{ rows: number }]>`
    WITH minutes AS (
      DELETE FROM attempt_counts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM attempt_counts
        WHERE width = 'minute' AND at < statement_timestamp() - make_interval(hours => ${HOURS_OF_MINUTES})
        ORDER BY width, at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ))
      RETURNING 1
    ), hours AS (
      DELETE FROM attempt_counts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM attempt_counts
        WHERE width = 'hour' AND at < statement_timestamp() - make_interval(days => ${DAYS_OF_HOURS})
        ORDER BY width, at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ))
      RETURNING *, date_trunc('day', at, 'UTC') AS day
    ), of_days AS (
      INSERT INTO attempt_counts AS counts
        (company_id, endpoint_id, width, at, delivered, failed, refused, dead, untimed, duration_ms, slowest_ms)
      SELECT company_id, endpoint_id, 'day', day, sum(delivered), sum(failed), sum(refused), sum(dead), sum(untimed),
        sum(duration_ms), max(slowest_ms)
      FROM hours
      -- The row of an older day may be one that this statement removes.
      WHERE day >= statement_timestamp() - make_interval(days => ${DAYS_KEPT})
      GROUP BY company_id, endpoint_id, day
      -- In one order, so that two calls do not wait for each other.
      ORDER BY company_id, endpoint_id, day
      ON CONFLICT (company_id, endpoint_id, width, at) DO UPDATE
      SET delivered = counts.delivered + excluded.delivered,
          failed = counts.failed + excluded.failed,
          refused = counts.refused + excluded.refused,
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
