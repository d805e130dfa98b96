import type { Prisma } from '@deal-signals/db/generated/client';
import { until } from '@deal-signals/test-kit/until';
import type { Scene } from './scene.ts';

/**
 * Ends the leases of claims now. To a dispatcher this is the same as waiting, because it compares the end of a lease with the
 * database's clock.
 *
 * @param where the deliveries; by default, all that are claimed.
 */
export async function endLeases({ db }: Scene, where: Prisma.PendingDeliveryWhereInput = {}): Promise<void> {
  await db.pendingDelivery.updateMany({
    where: { ...where, claimToken: { not: null } },
    data: { leaseExpiresAt: new Date() },
  });
}

/** Waits until the leases of all claims have ended, in real time. */
export async function untilLeasesEnd({ db }: Scene): Promise<void> {
  await until('all leases to end', async () => {
    const [{ count } = { count: 1 }] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pending_deliveries WHERE lease_expires_at > clock_timestamp()`;
    return count === 0;
  });
}

/**
 * Waits until PostgreSQL has ended the sessions of a killed app. Until then a statement that was in progress, such as a claim,
 * may still take effect.
 */
export async function untilSessionsEnd({ db }: Scene, app: 'worker' | 'api' | 'capture-api'): Promise<void> {
  await until(`the sessions of the ${app} to end`, async () => {
    const [{ count } = { count: 1 }] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${`deal-signals-${app}`}`;
    return count === 0;
  });
}
