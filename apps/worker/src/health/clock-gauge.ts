import type { Database } from '@deal-signals/db/database';
import { Gauge, type Registry } from 'prom-client';

/**
 * Returns how far the furthest feed clock is ahead of the server's time, in seconds; 0 if none is ahead.
 *
 * It reads the clocks of all workspaces: 51 MB and about 0.1 s for a million of them. An index would make this faster but each
 * write to a feed slower, because an update of an indexed column is not a heap-only (HOT) update.
 */
export async function readClockLead(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<[{ seconds: number }]>`
    SELECT greatest(extract(epoch FROM max(at) - clock_timestamp()), 0)::float8 AS seconds FROM feed_clocks`;
  return row.seconds;
}

/** @returns a function that sets the gauge, or removes it if the value is null. */
export function createClockGauge(registry: Registry): (seconds: number | null) => void {
  const gauge = new Gauge({
    name: 'deal_signals_feed_clock_ahead_seconds',
    help: 'How far the furthest feed clock of any workspace is ahead of the time of the database server; 0 if none is',
    registers: [registry],
  });
  return (seconds) => {
    if (seconds === null) gauge.remove();
    else gauge.set(seconds);
  };
}
