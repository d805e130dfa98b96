import { Prisma } from '@deal-signals/db/generated/client';
import type { OutcomeRules } from '../attempts/outcome.ts';

// Values of `alert_level` of an endpoint. The level only rises until a success resets it to 0.

/** An admin has enabled the endpoint again. Its first success is a recovery. */
export const ENABLED_AGAIN = 1;
const HALF = 2;
const NINE_TENTHS = 3;

/**
 * Builds the SQL expression of the level that the failures of an endpoint reach. It reads `failures_now`, the consecutive failures, and
 * `failing_for_now`, the milliseconds since the first of them. With a minimum outage, only the time counts, because no number of
 * failures disables an endpoint earlier.
 */
export function levelReached({ disableAfter, disableMinOutageMs }: OutcomeRules): Prisma.Sql {
  const [value, limit] =
    disableMinOutageMs > 0
      ? [Prisma.sql`failing_for_now`, disableMinOutageMs]
      : [Prisma.sql`failures_now`, disableAfter];
  return Prisma.sql`
    CASE WHEN ${value} >= ${0.9 * limit}::float8 THEN ${NINE_TENTHS}::int
         WHEN ${value} >= ${0.5 * limit}::float8 THEN ${HALF}::int ELSE 0 END`;
}
