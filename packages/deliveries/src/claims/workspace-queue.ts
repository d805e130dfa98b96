import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { behindLane, READY_ORDER } from './lane-range.ts';

/**
 * Sends workspaces that a tick has looked at to the end of the queue, and takes those out of it that have nothing ready.
 *
 * Whoever makes a delivery ready locks the workspace's listing until the commit. A listing that is locked is skipped and
 * stays as it is, so no workspace is removed while a delivery of it is about to become ready. Whether one is ready is
 * asked in a statement of its own, after the locks, because it has to see what the last holder of the lock committed.
 *
 * If the process ends before this, the next tick looks at the same workspaces again.
 */
export async function rotateWorkspaces(tx: Transaction, workspaces: readonly number[]): Promise<void> {
  if (workspaces.length === 0) return;
  const listings = await tx.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM workspace_queue
    WHERE company_id = ANY (${[...workspaces]}::int[])
    ORDER BY position
    FOR UPDATE SKIP LOCKED`;
  if (listings.length === 0) return;
  // One listing per workspace is enough, so further ones are removed as well.
  await tx.$executeRaw`
    WITH looked_at AS MATERIALIZED (
      SELECT position, row_number() OVER (PARTITION BY company_id ORDER BY position) = 1 AND (
        -- For EXISTS, the planner may collect the workspaces of all ready deliveries first.
        SELECT true FROM (
          SELECT kind.requeued, listing.company_id, 0 AS endpoint_id FROM (VALUES (false), (true)) AS kind (requeued)
        ) AS lane CROSS JOIN LATERAL (
          SELECT FROM pending_deliveries WHERE ${behindLane(Prisma.sql`lane`)} ORDER BY ${READY_ORDER} LIMIT 1
        ) AS delivery
        LIMIT 1
      ) IS TRUE AS stays
      FROM workspace_queue AS listing
      WHERE position = ANY (${listings.map(({ position }) => position)}::bigint[])
    ), removed AS (
      DELETE FROM workspace_queue WHERE position IN (SELECT position FROM looked_at WHERE NOT stays)
    )
    UPDATE workspace_queue AS listing
    SET position = nextval('workspace_queue_position_seq')
    FROM (SELECT position FROM looked_at WHERE stays ORDER BY position) AS kept
    WHERE listing.position = kept.position`;
}
