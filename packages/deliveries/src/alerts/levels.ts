import { Prisma } from '@deal-signals/db/generated/client';
import type { OutcomeRules } from '../attempts/outcome.ts';

// What `alert_level` of an endpoint says. Levels only rise, until a success takes them back to 0.

/** An admin has enabled the endpoint again: its first success is a recovery. */
export const ENABLED_AGAIN = 1;
const HALF = 2;
const NINE_TENTHS = 3;

/**
 * The level that an endpoint reaches by failures. With a minimum outage, time decides and not the number of failures: without that
 * time, any number of failures disables nothing.
 *
 * It is an expression on `failures_now` and `failing_for_now`, the consecutive failures and for how many milliseconds they have lasted.
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
