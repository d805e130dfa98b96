import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { ErasureRun } from './erasure-run.ts';

/** How long a worker has the turn of a workspace for a step, in milliseconds. After that, another worker takes it, which does no harm. */
export const LEASE_MS = 60_000;

/** When an erasure goes on, in milliseconds from the end of a step. */
export interface Pause {
  /** How long this erasure waits. */
  waitMs: number;
  /** How long the workspace rests, so that its captures have their turn. */
  restMs: number;
}

const RUN_COLUMNS = Prisma.raw(`
  company_id AS "companyId", id, kind, room_id AS "roomId", identity, email, names, person_ids AS "personIds",
  distribution_ids AS "distributionIds", people, event_end AS "eventEnd", view_end AS "viewEnd", stage, after,
  event_ids AS "eventIds", view_ids AS "viewIds", claims`);

/**
 * Takes the erasure for the next step: of the workspace that has been due longest, the one that has waited longest. The workspace is
 * reserved until the step has ended, so captures of a workspace wait for one erasure at a time.
 *
 * @returns null if no step is due.
 */
export function takeErasure(db: Database): Promise<ErasureRun | null> {
  return db.transaction(async (tx) => {
    const [turn] = await tx.$queryRaw<{ companyId: number }[]>`
      SELECT t.company_id AS "companyId" FROM erasure_turns t
      WHERE t.due_at <= clock_timestamp()
        AND EXISTS (SELECT FROM erasure_runs r WHERE r.company_id = t.company_id AND r.due_at <= clock_timestamp())
      ORDER BY t.due_at, t.company_id LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED`;
    if (turn === undefined) return null;
    const { companyId } = turn;
    // With an array the inner query runs once. As a join, it can run for each row, and then skips those that it has locked before.
    const [run] = await tx.$queryRaw<ErasureRun[]>`
      UPDATE erasure_runs SET due_at = clock_timestamp() + ${LEASE_MS}::int * interval '1 millisecond'
      WHERE company_id = ${companyId} AND id = ANY (ARRAY(
        SELECT id FROM erasure_runs WHERE company_id = ${companyId} AND due_at <= clock_timestamp()
        ORDER BY due_at, requested_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ))
      RETURNING ${RUN_COLUMNS}`;
    // None if another worker holds it. Then the workspace goes behind the others.
    await tx.$executeRaw`
      UPDATE erasure_turns SET due_at = clock_timestamp() + ${run === undefined ? 0 : LEASE_MS}::int * interval '1 millisecond'
      WHERE company_id = ${companyId}`;
    return run ?? null;
  });
}

/** Returns the milliseconds until a step is due, or null if no erasure is under way. */
export async function msUntilNextStep(db: Database): Promise<number | null> {
  const [next] = await db.query<{ ms: number | null }>(Prisma.sql`
    SELECT extract(epoch FROM min(greatest(t.due_at, r.due_at)) - clock_timestamp())::float8 * 1000 AS ms
    FROM erasure_turns t JOIN erasure_runs r ON r.company_id = t.company_id`);
  return next!.ms;
}

/** Releases an erasure after a step, and then its workspace. Without a pause, the next step can be taken at once. */
export async function releaseErasure(
  db: Database,
  { companyId, id }: ErasureRun,
  { waitMs, restMs }: Pause = { waitMs: 0, restMs: 0 },
): Promise<void> {
  // Not in one transaction, so neither row stays locked while this waits for the other.
  await db.$executeRaw`
    UPDATE erasure_runs SET due_at = clock_timestamp() + ${waitMs}::float8 * interval '1 millisecond'
    WHERE company_id = ${companyId} AND id = ${id}::uuid`;
  await db.$executeRaw`
    UPDATE erasure_turns SET due_at = clock_timestamp() + ${restMs}::float8 * interval '1 millisecond'
    WHERE company_id = ${companyId}`;
}

/** Ends the turn of a workspace in the transaction that finishes an erasure and holds the feed clock. */
export async function endTurn(tx: Queryable, companyId: number): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM erasure_turns t
    WHERE company_id = ${companyId} AND NOT EXISTS (SELECT FROM erasure_runs r WHERE r.company_id = t.company_id)`;
  await tx.$executeRaw`UPDATE erasure_turns SET due_at = clock_timestamp() WHERE company_id = ${companyId}`;
}
