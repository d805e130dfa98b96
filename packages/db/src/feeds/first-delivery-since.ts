import { Prisma } from '../generated/client.ts';

/**
 * A query for one number: the deliveries of a workspace with this id or a greater one are those created at `since` or later.
 * NULL if the workspace has no deliveries.
 *
 * Ids and times of a workspace's deliveries rise together, because both are taken under the feed clock. So a bisection in the
 * index by id finds the first one, and no index by time is needed. It takes a look-up for each halving of the ids between the
 * workspace's first delivery and its last.
 */
export function firstDeliverySince(companyId: number, since: Date): Prisma.Sql {
  // The rows are compared, so that no index but the primary key is in the order of the query. The one by id alone would be
  // walked through the deliveries of other workspaces. A workspace without deliveries finds those of others here. They must not
  // count: between bounds of two workspaces, the bisection would never end.
  return Prisma.sql`(
    WITH RECURSIVE bisection (low, high) AS (
      SELECT (
        SELECT CASE company_id WHEN ${companyId} THEN id END FROM webhook_deliveries
        WHERE (company_id, id) >= (${companyId}, 0) ORDER BY company_id, id LIMIT 1
      ), (
        SELECT CASE company_id WHEN ${companyId} THEN id + 1 END FROM webhook_deliveries
        WHERE (company_id, id) <= (${companyId}, 9223372036854775807)
        ORDER BY company_id DESC, id DESC LIMIT 1
      )
      UNION ALL
      SELECT CASE WHEN found.created_at < ${since}::timestamptz THEN found.id + 1 ELSE low END,
             CASE WHEN found.created_at < ${since}::timestamptz THEN high ELSE (low + high) / 2 END
      FROM bisection
      CROSS JOIN LATERAL (
        SELECT id, created_at FROM webhook_deliveries WHERE (company_id, id) >= (${companyId}, (low + high) / 2)
        ORDER BY company_id, id LIMIT 1
      ) AS found
      WHERE low < high
    )
    SELECT max(low) FROM bisection
  )`;
}
