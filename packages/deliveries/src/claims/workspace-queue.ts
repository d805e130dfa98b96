import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { afterLane, READY_ORDER } from './lane-range.ts';

/**
 * Moves the workspaces that a tick has visited to the end of the queue, and removes those that have nothing ready.
 *
 * A transaction that makes a delivery ready locks the workspace's entry until its commit. Locked entries are skipped, so no
 * workspace is removed while one of its deliveries is becoming ready. Ready deliveries are looked up in a second statement, after
 * the locks, to see what the last holder of the lock committed.
 *
 * If the process ends before this, the next tick visits the same workspaces again.
 */
export async function rotateWorkspaces(tx: Transaction, workspaces: readonly number[]): Promise<void> {
  if (workspaces.length === 0) return;
  const entries = await tx.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM workspace_queue
    WHERE company_id = ANY (${[...workspaces]}::int[])
    ORDER BY position
    FOR UPDATE SKIP LOCKED`;
  if (entries.length === 0) return;
  // One entry per workspace is enough, so duplicates are removed as well.
  await tx.$executeRaw`
    WITH visited AS MATERIALIZED (
      SELECT position, row_number() OVER (PARTITION BY company_id ORDER BY position) = 1 AND (
        -- Not EXISTS, for which the planner might collect the workspaces of all ready deliveries first.
        SELECT true FROM (
          SELECT kind.requeued, entry.company_id, 0 AS endpoint_id FROM (VALUES (false), (true)) AS kind (requeued)
        ) AS lane CROSS JOIN LATERAL (
          SELECT FROM pending_deliveries WHERE ${afterLane(Prisma.sql`lane`)} ORDER BY ${READY_ORDER} LIMIT 1
        ) AS delivery
        LIMIT 1
      ) IS TRUE AS stays
      FROM workspace_queue AS entry
      WHERE position = ANY (${entries.map(({ position }) => position)}::bigint[])
    ), removed AS (
      DELETE FROM workspace_queue WHERE position IN (SELECT position FROM visited WHERE NOT stays)
    )
    UPDATE workspace_queue AS entry
    SET position = nextval('workspace_queue_position_seq')
    FROM (SELECT position FROM visited WHERE stays ORDER BY position) AS kept
    WHERE entry.position = kept.position`;
}
