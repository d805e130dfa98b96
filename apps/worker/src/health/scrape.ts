import type { Database } from '@deal-signals/db/database';
import { type DeliveryGauges, readDeliveryGauges } from '@deal-signals/deliveries/delivery-gauges';
import type { AppMetrics } from '@deal-signals/runtime/app-metrics';
import { createSnapshot } from '@deal-signals/runtime/snapshot';
import type { Queue } from 'bullmq';
import { Counter, Gauge } from 'prom-client';

/** The sources of a scrape in addition to the counters. */
export interface ScrapeContext {
  db: Database;
  queue: Queue;
  readiness: () => Promise<string[]>;
}

/** Less than the two seconds that a readiness check may take. */
const READ_DEADLINE_MS = 1_800;
/** Several scrapers, or a page that is reloaded again and again, cost one read. */
const ROWS_MAX_AGE_MS = 5_000;
const JOBS_MAX_AGE_MS = 1_000;
/** A clock that is ahead stays ahead until an operator sets it. */
const CLOCKS_MAX_AGE_MS = 60_000;

const DELIVERIES: Record<keyof DeliveryGauges, { name: string; help: string }> = {
  due: {
    name: 'deal_signals_due_deliveries',
    help: 'Deliveries that are due and not claimed, except those that wait for the rate limit of their endpoint; counted up to 100,000',
  },
  oldestDueSeconds: {
    name: 'deal_signals_oldest_due_age_seconds',
    help: 'How long the delivery that has been due longest has waited to be claimed, without the time in which the rate limit of its endpoint did not allow it; 0 if none is due',
  },
  rateLimited: {
    name: 'deal_signals_rate_limited_deliveries',
    help: 'Deliveries that wait only for the rate limit of their endpoint (`maxPerMinute`); counted up to 100,000',
  },
  claimed: {
    name: 'deal_signals_claimed_deliveries',
    help: 'Deliveries that wait in the job queue or are being attempted; counted up to 100,000',
  },
  onHold: {
    name: 'deal_signals_parked_deliveries',
    help: 'Deliveries on hold until their endpoint is enabled again; counted up to 100,000',
  },
  dead: {
    name: 'deal_signals_dead_deliveries',
    help: 'Dead letters that were not dismissed, without test events; counted up to 100,000',
  },
};

/**
 * Registers the gauges of the database and of the queue, which are read for each scrape. Every worker reports the same values. While a server is unavailable, a scrape neither fails nor hangs: it omits the gauges of that server and counts the
 * scrape as incomplete.
 *
 * @returns a function that returns the text of a scrape.
 */
export function createScrape(
  { registry, describeProcess }: AppMetrics,
  { db, queue, readiness }: ScrapeContext,
): () => Promise<string> {
  const registers = [registry];
  const share = <T>(read: () => Promise<T>, maxAgeMs: number) =>
    createSnapshot(read, { maxAgeMs, deadlineMs: READ_DEADLINE_MS });
  // Not in `collect` of each gauge, because readiness has to be read at the same time.
  const updates: (() => Promise<void>)[] = [];
  const addGauge = (about: { name: string; help: string }, read: () => Promise<number | null>): void => {
    const gauge = new Gauge({ ...about, registers });
    updates.push(async () => {
      const value = await read();
      if (value === null) gauge.remove();
      else gauge.set(value);
    });
  };

  const readDeliveries = share(() => readDeliveryGauges(db), ROWS_MAX_AGE_MS);
  for (const [name, about] of Object.entries(DELIVERIES)) {
    addGauge(about, async () => (await readDeliveries())?.[name as keyof DeliveryGauges] ?? null);
  }
  addGauge(
    {
      name: 'deal_signals_feed_clock_ahead_seconds',
      help: 'How far the furthest feed clock of any workspace is ahead of the time of the database server; 0 if none is',
    },
    share(() => readClockLead(db), CLOCKS_MAX_AGE_MS),
  );
  addGauge(
    {
      name: 'deal_signals_oldest_erasure_age_seconds',
      help: 'Age of the oldest running erasure; 0 if none is running',
    },
    share(() => readErasureAge(db), ROWS_MAX_AGE_MS),
  );
  const readJobs = share(() => queue.getJobCounts('waiting', 'active', 'delayed'), JOBS_MAX_AGE_MS);
  const jobs = new Gauge({
    name: 'deal_signals_queue_jobs',
    help: 'Jobs in the job queue, each with the claims of up to ten attempts, by state: waiting, active or delayed',
    labelNames: ['state'],
    registers,
  });
  const gaps = new Counter({
    name: 'deal_signals_scrape_gaps_total',
    help: 'Scrapes without some gauges, because the database or Redis did not respond in time',
    labelNames: ['source'],
    registers,
  });
  for (const source of ['database', 'redis']) gaps.inc({ source }, 0);
  updates.push(async () => {
    if ((await readDeliveries()) === null) gaps.inc({ source: 'database' });
  });
  updates.push(async () => {
    const counts = await readJobs();
    if (counts === null) gaps.inc({ source: 'redis' });
    jobs.reset();
    for (const [state, count] of Object.entries(counts ?? {})) jobs.set({ state }, count);
  });
  updates.push(async () => describeProcess({ failing: await readiness(), pool: db.use() }));

  return async () => {
    await Promise.all(updates.map((update) => update()));
    return registry.metrics();
  };
}

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

/** Returns the age of the oldest running erasure in seconds; 0 if none is running. */
async function readErasureAge(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<[{ seconds: number }]>`
    SELECT greatest(extract(epoch FROM clock_timestamp() - min(requested_at)), 0)::float8 AS seconds FROM erasure_runs`;
  return row.seconds;
}
