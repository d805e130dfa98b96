import type { Database } from '@deal-signals/db/database';
import { Gauge, type Registry } from 'prom-client';

/** The records that capture holds until their share link comes, and those that it refused while they waited. */
export interface HeldCounts {
  waiting: number;
  refused: number;
}

/** Counting stops here. */
const MOST_COUNTED = 100_000;

/** Counts the held records of all workspaces. A workspace has at most 1,000. */
export async function countHeldRecords(db: Database): Promise<HeldCounts> {
  const [counts] = await db.$queryRaw<[HeldCounts]>`
    SELECT (count(*) FILTER (WHERE problem IS NULL))::int AS waiting,
           (count(*) FILTER (WHERE problem IS NOT NULL))::int AS refused
    FROM (SELECT problem FROM held_records ORDER BY company_id, id LIMIT ${MOST_COUNTED}) AS bounded`;
  return counts;
}

/** @returns a function that shows the counts; null removes them. */
export function createHeldGauge(registry: Registry): (counts: HeldCounts | null) => void {
  const gauge = new Gauge({
    name: 'deal_signals_held_records',
    help: 'Captured records by state: waiting for their share link, or refused meanwhile; counted up to 100,000',
    labelNames: ['state'],
    registers: [registry],
  });
  return (counts) => {
    gauge.reset();
    for (const [state, count] of Object.entries(counts ?? {})) gauge.set({ state }, count);
  };
}
