import type { Prisma } from '@deal-signals/db/generated/client';
import { until } from '@deal-signals/test-kit/until';
import type { Scene } from './scene.ts';

/**
 * Ends the leases of claims now, as if the time had passed. The dispatchers do not notice the difference: the database's
 * clock alone decides what has run out.
 *
 * @param where which deliveries; all that are claimed, unless told otherwise.
 */
export async function endLeases({ db }: Scene, where: Prisma.WebhookDeliveryWhereInput = {}): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { ...where, claimToken: { not: null } },
    data: { leaseExpiresAt: new Date() },
  });
}

/** Waits until the leases of all present claims have run out, in real time. */
export async function untilLeasesEnd({ db }: Scene): Promise<void> {
  await until('all leases to run out', async () => {
    const [{ count } = { count: 1 }] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM webhook_deliveries WHERE lease_expires_at > clock_timestamp()`;
    return count === 0;
  });
}

/**
 * Waits until the database has noticed the death of an app: a statement that was under way may still take effect, such as
 * one that claims a delivery.
 */
export async function untilSessionsEnd({ db }: Scene, app: 'worker' | 'api'): Promise<void> {
  await until(`the sessions of the ${app} to end`, async () => {
    const [{ count } = { count: 1 }] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${`deal-signals-${app}`}`;
    return count === 0;
  });
}
