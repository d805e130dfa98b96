import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';

/** The answer to a worker that asks for the next tick. */
export interface TakenTick {
  /** Whether the tick was due and this worker runs it. */
  isTaken: boolean;
  /** Whether there is anything to dispatch. If not, the tick is already complete. */
  hasWork: boolean;
  /** Milliseconds until the next tick is due. */
  nextInMs: number;
}

/**
 * Whether a workspace is queued, a delivery is due, or an endpoint is being reconciled. Each condition reads the first entry of
 * an index.
 */
const HAS_WORK = Prisma.sql`
  (SELECT true FROM workspace_queue ORDER BY position LIMIT 1) IS TRUE
  OR (SELECT true FROM pending_deliveries
    WHERE NOT ready AND coalesce(lease_expires_at, next_attempt_at) <= statement_timestamp()
    ORDER BY coalesce(lease_expires_at, next_attempt_at) LIMIT 1) IS TRUE
  OR (SELECT true FROM webhook_endpoints WHERE reconciled_to IS NOT NULL ORDER BY company_id, id LIMIT 1) IS TRUE`;

/**
 * Takes the next tick of the dispatcher if it is due; only one worker gets it. All times are those of the database, so the clocks
 * of the workers need not agree. If the database's clock steps back by more than a tick, the next tick is due at once.
 *
 * A tick without work is this one statement.
 *
 * @param tickMs the interval between two ticks.
 */
export async function takeTick(db: Database, tickMs: number): Promise<TakenTick> {
  const [taken] = await db.query<Omit<TakenTick, 'isTaken'>>(Prisma.sql`
    WITH work AS MATERIALIZED (SELECT ${HAS_WORK} AS waits)
    INSERT INTO dispatcher AS last (ticked_at, completed_at)
    SELECT clock_timestamp(), CASE WHEN NOT waits THEN clock_timestamp() END FROM work
    ON CONFLICT (id) DO UPDATE
    SET ticked_at = clock_timestamp(), completed_at = coalesce(excluded.completed_at, last.completed_at)
    WHERE abs(extract(epoch FROM clock_timestamp() - last.ticked_at)) * 1000 >= ${tickMs}::float8
    RETURNING (SELECT waits FROM work) AS "hasWork", ${tickMs}::float8 AS "nextInMs"`);
  if (taken !== undefined) return { isTaken: true, ...taken };
  const [last] = await db.query<{ nextInMs: number }>(Prisma.sql`
    SELECT (${tickMs}::float8 - abs(extract(epoch FROM clock_timestamp() - ticked_at)) * 1000)::float8 AS "nextInMs"
    FROM dispatcher`);
  return { isTaken: false, hasWork: false, ...last! };
}

/** Marks the tick as complete, for all workers to see. */
export async function completeTick(db: Database): Promise<void> {
  await db.query(Prisma.sql`UPDATE dispatcher SET completed_at = clock_timestamp()`);
}

/**
 * Returns the milliseconds since a tick of any worker last completed, by the database's clock; null if none has. The value is
 * negative if that clock has stepped back.
 */
export async function sinceLastTick(db: Database): Promise<number | null> {
  const [last] = await db.$queryRaw<{ agoMs: number | null }[]>`
    SELECT (extract(epoch FROM clock_timestamp() - completed_at) * 1000)::float8 AS "agoMs" FROM dispatcher`;
  return last?.agoMs ?? null;
}
