import type { Database } from '@deal-signals/db/database';
import { type DeliveryGauges, readDeliveryGauges } from '@deal-signals/deliveries/delivery-gauges';
import type { AppMetrics } from '@deal-signals/runtime/app-metrics';
import { createSnapshot } from '@deal-signals/runtime/snapshot';
import type { Queue } from 'bullmq';
import { Counter, Gauge, type Registry } from 'prom-client';
import { createClockGauge, readClockLead } from './clock-gauge.ts';
import { createErasureGauge, readErasureAge } from './erasure-gauge.ts';

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

const JOB_STATES = ['waiting', 'active', 'delayed'] as const;
/** The number of jobs in the queue, by state. */
type JobCounts = Record<(typeof JOB_STATES)[number], number>;

/**
 * Creates the function that serves scrapes. The state of the database and of the queue is read at that time, and every worker
 * reports the same values. While a server is unavailable, a scrape neither fails nor hangs: it omits the gauges of that server
 * and counts the scrape as incomplete.
 *
 * @returns a function that returns the text of a scrape.
 */
export function createScrape(metrics: AppMetrics, context: ScrapeContext): () => Promise<string> {
  const { registry, describeProcess } = metrics;
  const { db, queue, readiness } = context;
  const gaps = new Counter({
    name: 'deal_signals_scrape_gaps_total',
    help: 'Scrapes without some gauges, because the database or Redis did not respond in time',
    labelNames: ['source'],
    registers: [registry],
  });
  for (const source of ['database', 'redis']) gaps.inc({ source }, 0);
  const showDeliveries = createDeliveryGauges(registry);
  const showClockLead = createClockGauge(registry);
  const showErasureAge = createErasureGauge(registry);
  const showJobs = createJobGauge(registry);
  const readDeliveries = createSnapshot(() => readDeliveryGauges(db), {
    maxAgeMs: ROWS_MAX_AGE_MS,
    deadlineMs: READ_DEADLINE_MS,
  });
  const readClocks = createSnapshot(() => readClockLead(db), {
    maxAgeMs: CLOCKS_MAX_AGE_MS,
    deadlineMs: READ_DEADLINE_MS,
  });
  const readErasures = createSnapshot(() => readErasureAge(db), {
    maxAgeMs: ROWS_MAX_AGE_MS,
    deadlineMs: READ_DEADLINE_MS,
  });
  const readJobs = createSnapshot(() => countJobs(queue), {
    maxAgeMs: JOBS_MAX_AGE_MS,
    deadlineMs: READ_DEADLINE_MS,
  });
  return async () => {
    const [deliveries, clockLead, erasureAge, jobs, failing] = await Promise.all([
      readDeliveries(),
      readClocks(),
      readErasures(),
      readJobs(),
      readiness(),
    ]);
    if (deliveries === null) gaps.inc({ source: 'database' });
    if (jobs === null) gaps.inc({ source: 'redis' });
    showDeliveries(deliveries);
    showClockLead(clockLead);
    showErasureAge(erasureAge);
    showJobs(jobs);
    describeProcess({ failing, pool: db.use() });
    return registry.metrics();
  };
}

function createDeliveryGauges(registry: Registry): (values: DeliveryGauges | null) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const gauges: Record<keyof DeliveryGauges, Gauge> = {
    due: gauge(
      'deal_signals_due_deliveries',
      'Deliveries that are due and not claimed, except those that wait for the rate limit of their endpoint; counted up to 100,000',
    ),
    oldestDueSeconds: gauge(
      'deal_signals_oldest_due_age_seconds',
      'How long the delivery that has been due longest has waited to be claimed, without the time in which the rate limit of its endpoint did not allow it; 0 if none is due',
    ),
    rateLimited: gauge(
      'deal_signals_rate_limited_deliveries',
      'Deliveries that wait only for the rate limit of their endpoint (`maxPerMinute`); counted up to 100,000',
    ),
    claimed: gauge(
      'deal_signals_claimed_deliveries',
      'Deliveries that wait in the job queue or are being attempted; counted up to 100,000',
    ),
    onHold: gauge(
      'deal_signals_parked_deliveries',
      'Deliveries on hold until their endpoint is enabled again; counted up to 100,000',
    ),
    dead: gauge(
      'deal_signals_dead_deliveries',
      'Dead letters that were not dismissed, without test events; counted up to 100,000',
    ),
  };
  return (values) => {
    for (const [name, one] of Object.entries(gauges)) {
      if (values === null) one.remove();
      else one.set(values[name as keyof DeliveryGauges]);
    }
  };
}

function createJobGauge(registry: Registry): (counts: JobCounts | null) => void {
  const gauge = new Gauge({
    name: 'deal_signals_queue_jobs',
    help: 'Jobs in the job queue, each with the claims of up to ten attempts, by state: waiting, active or delayed',
    labelNames: ['state'],
    registers: [registry],
  });
  return (counts) => {
    gauge.reset();
    for (const [state, count] of Object.entries(counts ?? {})) gauge.set({ state }, count);
  };
}

async function countJobs(queue: Queue): Promise<JobCounts> {
  const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts(...JOB_STATES);
  return { waiting, active, delayed };
}
