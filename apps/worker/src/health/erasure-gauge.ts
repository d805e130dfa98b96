import type { Database } from '@deal-signals/db/database';
import { Gauge, type Registry } from 'prom-client';

/** Returns the age of the oldest running erasure in seconds; 0 if none is running. */
export async function readErasureAge(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<[{ seconds: number }]>`
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(requested_at)), 0)::float8 AS seconds FROM erasure_runs`;
  return row.seconds;
}

/** @returns a function that sets the gauge, or removes it if the value is null. */
export function createErasureGauge(registry: Registry): (seconds: number | null) => void {
  const gauge = new Gauge({
    name: 'deal_signals_oldest_erasure_age_seconds',
    help: 'Age of the oldest running erasure; 0 if none is running',
    registers: [registry],
  });
  return (seconds) => {
    if (seconds === null) gauge.remove();
    else gauge.set(Math.max(0, seconds));
  };
}
