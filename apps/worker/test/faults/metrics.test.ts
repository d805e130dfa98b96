import { setTimeout as sleep } from 'node:timers/promises';
import { holdResponses, type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addDeliveries, addDelivery, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { healthUrl, scrapeOf } from '../health/scraping.ts';

// The metrics of a worker in a separate process.

const GAUGES = [
  'deal_signals_due_deliveries',
  'deal_signals_oldest_due_age_seconds',
  'deal_signals_rate_limited_deliveries',
  'deal_signals_claimed_deliveries',
  'deal_signals_parked_deliveries',
  'deal_signals_dead_deliveries',
  'deal_signals_oldest_erasure_age_seconds',
];
const WAITING_JOBS = 'deal_signals_queue_jobs{state="waiting"}';

const OTHER = COMPANY + 1;

let database: TestDatabase;
let postgres: TcpProxy;
let redis: TcpProxy;
let receiver: Receiver;
let worker: RunningApp;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  await addCompany(database.db, OTHER);
  await database.db.$executeRaw`
    UPDATE feed_clocks SET at = clock_timestamp() + interval '1 hour' WHERE company_id = ${OTHER}`;
  postgres = await startTcpProxy(database.url);
  redis = await startTcpProxy(await createTestRedis());
  receiver = await startReceiver();
  worker = await startApp('worker', {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    DISPATCH_TICK_MS: '100',
    WORKER_CONCURRENCY: '2',
    WEBHOOK_RETRY_SCHEDULE_MS: '50',
    WEBHOOK_MAX_ATTEMPTS: '2',
    WEBHOOK_TIMEOUT_MS: '30000',
  });
  url = healthUrl(worker);
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([receiver.close(), postgres.cut(), redis.cut(), database.drop()]);
});

/** Waits until metrics have these values; otherwise reports those that differ. */
async function untilValues(expected: Record<string, number>): Promise<void> {
  let values: ReadonlyMap<string, number> = new Map();
  const shown = () => Object.fromEntries(Object.keys(expected).map((name) => [name, values.get(name)]));
  const isThere = async () => {
    values = await scrapeOf(url);
    return Object.entries(expected).every(([name, value]) => values.get(name) === value);
  };
  await until('the metrics', isThere).catch(() => expect(shown()).toEqual(expected));
}

/** An endpoint that gets none of the events that a worker causes. */
const QUIET = { events: ['engagement.recorded'] };

test('attempts, deliveries and endpoints are counted by their outcome', async () => {
  const { db } = database;
  const before = await scrapeOf(url);
  for (const outcome of ['delivered', 'failed', 'gone', 'lost']) {
    expect(before.get(`deal_signals_attempts_total{outcome="${outcome}"}`)).toBe(0);
  }

  const fine = await addEndpoint(db, { ...QUIET, url: receiver.url });
  await addDeliveries(db, fine, 3);
  await untilValues({ 'deal_signals_attempts_total{outcome="delivered"}': 3 });

  receiver.respond(500);
  await addDelivery(db, await addEndpoint(db, { ...QUIET, url: receiver.url }));
  await untilValues({
    'deal_signals_attempts_total{outcome="failed"}': 2,
    'deal_signals_deliveries_finished_total{status="dead"}': 1,
  });

  await addDelivery(db, await addEndpoint(db, { ...QUIET, url: receiver.url, consecutiveFailures: 19 }));
  await untilValues({
    'deal_signals_attempts_total{outcome="failed"}': 3,
    'deal_signals_endpoints_disabled_total{reason="failures"}': 1,
  });

  receiver.respond(410);
  await addDelivery(db, await addEndpoint(db, { ...QUIET, url: receiver.url }));
  await untilValues({
    'deal_signals_attempts_total{outcome="gone"}': 1,
    'deal_signals_endpoints_disabled_total{reason="gone"}': 1,
  });

  const letRespond = holdResponses(receiver);
  const sent = receiver.requests.length;
  const lost = await addDelivery(db, fine);
  await receiver.waitFor(sent + 1);
  await db.pendingDelivery.updateMany({ where: { id: lost }, data: { claimToken: crypto.randomUUID() } });
  // Longer than the bucket of half a second.
  await sleep(600);
  letRespond();
  await untilValues({
    'deal_signals_attempts_total{outcome="delivered"}': 3,
    'deal_signals_attempts_total{outcome="failed"}': 3,
    'deal_signals_attempts_total{outcome="gone"}': 1,
    'deal_signals_attempts_total{outcome="lost"}': 1,
    'deal_signals_attempt_duration_seconds_count{outcome="lost"}': 1,
    'deal_signals_attempt_duration_seconds_bucket{le="0.5",outcome="lost"}': 0,
    'deal_signals_deliveries_finished_total{status="delivered"}': 3,
    'deal_signals_deliveries_finished_total{status="dead"}': 2,
    'deal_signals_endpoints_disabled_total{reason="failures"}': 1,
    'deal_signals_endpoints_disabled_total{reason="gone"}': 1,
    deal_signals_due_deliveries: 0,
    deal_signals_oldest_due_age_seconds: 0,
    deal_signals_parked_deliveries: 1,
    deal_signals_dead_deliveries: 2,
  });
});

test('claims that pile up are counted as claimed and not as due, and their wait is measured', async () => {
  const { db } = database;
  receiver.respond(200);
  const letRespond = holdResponses(receiver);
  const waits = 'deal_signals_attempt_wait_seconds_count';
  const shortWaits = 'deal_signals_attempt_wait_seconds_bucket{le="0.5"}';
  // The delivery that an attempt lost in the last test still has its claim.
  const claimed = 'deal_signals_claimed_deliveries';
  const delivered = 'deal_signals_delivery_duration_seconds_count{attempt="first"}';
  const soon = 'deal_signals_delivery_duration_seconds_bucket{le="0.5",attempt="first"}';
  const before = await scrapeOf(url);
  const fine = await addEndpoint(db, { ...QUIET, url: receiver.url });
  await addDeliveries(db, fine, 18);
  await untilValues({
    deal_signals_due_deliveries: 0,
    deal_signals_oldest_due_age_seconds: 0,
    [claimed]: before.get(claimed)! + 18,
    // The worker has taken the first job and makes two of its attempts.
    [WAITING_JOBS]: 1,
  });
  // Longer than the bucket of half a second.
  await sleep(600);
  letRespond();
  await untilValues({
    [waits]: before.get(waits)! + 18,
    [delivered]: before.get(delivered)! + 18,
    deal_signals_due_deliveries: 0,
    deal_signals_oldest_due_age_seconds: 0,
    [claimed]: before.get(claimed)!,
  });
  const after = await scrapeOf(url);
  // Two attempts began at once. The others, and all deliveries, waited until the receiver responded.
  expect(after.get(shortWaits)! - before.get(shortWaits)!).toBeLessThanOrEqual(2);
  expect(after.get(soon)! - before.get(soon)!).toBe(0);
});

test('an erasure that does not end is shown by its age', async () => {
  const age = async () => (await scrapeOf(url)).get('deal_signals_oldest_erasure_age_seconds');
  expect(await age()).toBe(0);
  // No worker can take it.
  await database.db.$executeRaw`
    INSERT INTO erasure_runs (company_id, id, kind, event_end, view_end, requested_at, stage, due_at)
    VALUES (${COMPANY}, gen_random_uuid(), 'person', 0, 0, now() - interval '2 hours', 'rooms', 'infinity')`;
  await until('the age of the erasure', async () => ((await age()) ?? 0) > 7_000);
  await database.db.$executeRaw`DELETE FROM erasure_runs`;
});

test('rows that an erasure skips are counted', async () => {
  const { db } = database;
  const count = async () => (await scrapeOf(url)).get('deal_signals_rows_not_erased_total');
  expect(await count()).toBe(0);
  await capture(db, { record: 'room', id: ROOM, name: 'Globex' });
  await db.$executeRaw`
    INSERT INTO webhook_events (company_id, id, type, created_at, body, buyer_space_id)
    VALUES (${COMPANY}, gen_random_uuid(), 'decision_room.updated', now(), 'not JSON', ${ROOM}::uuid)`;
  await capture(db, { record: 'eraseRoom', roomId: ROOM });
  await until('the skipped row', async () => (await count()) === 1);
  // The erasure waits for the attempts of another test.
  await db.erasureRun.deleteMany();
});

test('the queue, the process and readiness have metrics', async () => {
  const values = await scrapeOf(url);
  for (const state of ['waiting', 'active', 'delayed']) {
    expect(values.get(`deal_signals_queue_jobs{state="${state}"}`)).toBeLessThanOrEqual(1);
  }
  expect(values.get('deal_signals_failed_jobs_total')).toBe(0);
  expect(values.get('deal_signals_ready')).toBe(1);
  expect(values.get('deal_signals_feed_clock_ahead_seconds')).toBeGreaterThan(3_000);
  expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(values.get('deal_signals_database_connections{state="idle"}')).toBeGreaterThan(0);
  expect([...values.keys()].join('\n')).not.toMatch(/127\.0\.0\.1|whsec|@/);
});

test('ticks are counted as completed or failed, and the last one has a timestamp', async () => {
  const completed = 'deal_signals_ticks_total{result="completed"}';
  const failed = 'deal_signals_ticks_total{result="failed"}';
  const before = await scrapeOf(url);
  expect(before.get(failed)).toBe(0);
  await until('further ticks', async () => (await scrapeOf(url)).get(completed)! > before.get(completed)!);
  const lastMs = (await scrapeOf(url)).get('deal_signals_last_tick_timestamp_seconds')! * 1_000;
  expect(Math.abs(Date.now() - lastMs)).toBeLessThan(60_000);

  await database.db.$executeRaw`ALTER TABLE pending_deliveries RENAME COLUMN ready TO renamed`;
  await until('a failed tick', async () => (await scrapeOf(url)).get(failed));
  await database.db.$executeRaw`ALTER TABLE pending_deliveries RENAME COLUMN renamed TO ready`;
  const after = await scrapeOf(url);
  expect(worker.output()).toContain('"message":"tick failed"');
  expect(after.get('deal_signals_database_errors_total')).toBeGreaterThan(0);
  // The gauges return without a restart.
  await until('the gauges', async () => (await scrapeOf(url)).has('deal_signals_due_deliveries'));
});

describe('a scrape responds in time', () => {
  const gaps = (source: string) => `deal_signals_scrape_gaps_total{source="${source}"}`;
  /** Half of a scraper's default timeout. A single statement or command may take longer. */
  const DEADLINE_MS = 4_500;

  let late = 0;

  async function scrapeInTime(): Promise<ReadonlyMap<string, number>> {
    const startedAtMs = performance.now();
    const values = await scrapeOf(url);
    if (performance.now() - startedAtMs > DEADLINE_MS) late += 1;
    return values;
  }

  afterEach(() => expect(late).toBe(0));

  const ways: { how: string; way: 'cut' | 'stall' }[] = [
    { how: 'refuses connections', way: 'cut' },
    { how: 'does not respond', way: 'stall' },
  ];

  test.each(ways)('while PostgreSQL $how', async ({ way }) => {
    const before = (await scrapeOf(url)).get(gaps('database'))!;
    await postgres[way]();
    const values = await until('a gap', async () => {
      const found = await scrapeInTime();
      return found.get(gaps('database'))! > before && !GAUGES.some((gauge) => found.has(gauge)) && found;
    });
    for (const gauge of GAUGES) expect(values.has(gauge)).toBe(false);
    expect(values.get('deal_signals_ready')).toBe(0);
    expect(values.has(WAITING_JOBS)).toBe(true);
    expect(values.get(gaps('redis'))).toBe(0);
    await postgres.restore();
    await until('the gauges', async () => (await scrapeOf(url)).has('deal_signals_due_deliveries'));
  });

  test.each(ways)('while Redis $how', async ({ way }) => {
    const before = (await scrapeOf(url)).get(gaps('redis'))!;
    const errorsBefore = (await scrapeOf(url)).get('deal_signals_redis_errors_total')!;
    await redis[way]();
    const values = await until('a gap', async () => {
      const found = await scrapeInTime();
      return found.get(gaps('redis'))! > before && found;
    });
    expect(values.has(WAITING_JOBS)).toBe(false);
    expect(values.get('deal_signals_ready')).toBe(0);
    expect(values.has('deal_signals_due_deliveries')).toBe(true);
    if (way === 'cut') expect(values.get('deal_signals_redis_errors_total')).toBeGreaterThan(errorsBefore);
    await redis.restore();
    await until('the queue', async () => (await scrapeOf(url)).has(WAITING_JOBS));
    await until('readiness', async () => (await scrapeOf(url)).get('deal_signals_ready') === 1);
  });
});
