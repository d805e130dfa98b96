import type { Database } from '@deal-signals/db/database';

/**
 * Takes the next tick of the dispatcher if it is due: of all workers, one gets it. The times are those of the database, so the
 * clocks of the workers need not agree. If its clock has stepped back by more than a tick, the next one is due at once.
 *
 * @param tickMs the time between two ticks.
 * @returns whether it was due, and in how many milliseconds the one after it is.
 */
export async function takeTick(
  db: Database,
  tickMs: number,
): Promise<{ isTaken: boolean; nextInMs: number }> {
  const [taken] = await db.$queryRaw<{ nextInMs: number }[]>`
    INSERT INTO dispatcher AS last (ticked_at) VALUES (clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET ticked_at = clock_timestamp()
    WHERE abs(extract(epoch FROM clock_timestamp() - last.ticked_at)) * 1000 >= ${tickMs}::float8
    RETURNING ${tickMs}::float8 AS "nextInMs"`;
  if (taken !== undefined) return { isTaken: true, ...taken };
  const [last] = await db.$queryRaw<[{ nextInMs: number }]>`
    SELECT (${tickMs}::float8 - abs(extract(epoch FROM clock_timestamp() - ticked_at)) * 1000)::float8 AS "nextInMs"
    FROM dispatcher`;
  return { isTaken: false, ...last };
}

/** Tells all workers that a tick has ended well. */
export async function completeTick(db: Database): Promise<void> {
  await db.$executeRaw`UPDATE dispatcher SET completed_at = clock_timestamp()`;
}

/**
 * Returns how many milliseconds ago a tick of any worker has last ended well, by the database's clock; null if none ever has.
 * It is negative if that clock has stepped back.
 */
export async function sinceLastTick(db: Database): Promise<number | null> {
  const [last] = await db.$queryRaw<{ agoMs: number | null }[]>`
    SELECT (extract(epoch FROM clock_timestamp() - completed_at) * 1000)::float8 AS "agoMs" FROM dispatcher`;
  return last?.agoMs ?? null;
}
