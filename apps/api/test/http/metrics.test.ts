import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Database } from '@deal-signals/db/database';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import winston from 'winston';
import { ROUTES } from '../../src/app.ts';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { createHealthRouter } from '../../src/http/health.ts';
import { createApiServer } from '../../src/http/server/server.ts';
import { createMetrics } from '../../src/metrics.ts';
import { openTestApi, sessionToken, TEST_CONNECTIONS, type TestApi } from '../test-api.ts';

const LIMIT = 5;

async function scrape(api: TestApi): Promise<ReadonlyMap<string, number>> {
  const { text } = await supertest(api.app)
    .get('/metrics')
    .expect(200)
    .expect('Content-Type', /^text\/plain; version=0\.0\.4/);
  return parseScrape(text).values;
}

const requests = (method: string, route: string, statusCode: string) =>
  `deal_signals_requests_total{method="${method}",route="${route}",status_code="${statusCode}"}`;

describe('requests', () => {
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    api = await openTestApi({ settings: { rateLimitPerMinute: LIMIT } });
    await addCompany(api.db, 1);
    key = await addKey(api.db, 1);
    await until('Redis to be connected', () => api.redis.status === 'ready');
  });
  afterAll(() => api.close());

  test('of every route have metrics from the start, with the value 0', async () => {
    const values = await scrape(api);
    const expected = [
      ...[
        ...ROUTES,
        ...CONSOLE_ROUTES.map((route) => ({ ...route, path: `/console/api${route.path}` })),
      ].flatMap(({ method, path, status = 200 }) => [
        ...[String(status), '500', '503'].map((code) => requests(method, path, code)),
        `deal_signals_request_duration_seconds_count{method="${method}",route="${path}"}`,
      ]),
      'deal_signals_rate_limited_requests_total',
      'deal_signals_attempts_total{outcome="delivered"}',
    ];
    expect(expected.filter((name) => values.get(name) !== 0)).toEqual([]);
  });

  test('are counted by method, route and status, and timed', async () => {
    await api.get('/calls/unknown', key).expect(404);
    await api.get(`/calls/${key}`, key).expect(404);
    await api.get('/calls?limit=0', key).expect(400);
    await supertest(api.app).head('/api/v1/calls').set('Authorization', `Bearer ${key}`).expect(200);
    await supertest(api.app).put('/api/v1/calls').expect(405);
    await api.get('/webhooks', sessionToken()).expect(200);
    await api.get('/webhooks').expect(401);
    const values = await scrape(api);
    expect(values.get(requests('GET', '/calls/:id', '404'))).toBe(2);
    expect(values.get(requests('GET', '/calls', '400'))).toBe(1);
    expect(values.get(requests('HEAD', '/calls', '200'))).toBe(1);
    expect(values.get(requests('other', '/calls', '405'))).toBe(1);
    expect(values.get(requests('GET', '/webhooks', '200'))).toBe(1);
    expect(values.get(requests('GET', '/webhooks', '401'))).toBe(1);
    const bucket = (le: string) =>
      values.get(`deal_signals_request_duration_seconds_bucket{le="${le}",method="GET",route="/calls/:id"}`);
    expect([bucket('30'), bucket('+Inf')]).toEqual([2, 2]);
    // Probes and scrapes are requests too.
    expect((await scrape(api)).get(requests('GET', '/metrics', '200'))).toBeGreaterThan(1);
  });

  test('rejected by the rate limit are counted', async () => {
    const busy = await addKey(api.db, 1);
    for (let request = 0; request < LIMIT; request += 1) await api.get('/status', busy).expect(200);
    for (let request = 0; request < 2; request += 1) await api.get('/status', busy).expect(429);
    const values = await scrape(api);
    expect(values.get('deal_signals_rate_limited_requests_total')).toBe(2);
    expect(values.get(requests('GET', '/status', '429'))).toBe(2);
  });

  test('never become labels: unknown paths share one label, and so do unknown methods', async () => {
    await api.get('/status', await addKey(api.db, 1)).expect(200);
    const before = [...(await scrape(api)).keys()].length;
    for (const path of [
      '/nothing',
      '/api/v1/hidden',
      '/api/v1/calls/a/hidden',
      '/api/v1/STATUS',
      '/%00',
      '//',
    ]) {
      for (const method of ['get', 'propfind', 'lock', 'options', 'put', 'm-search'] as const) {
        await supertest(api.app)[method](`${path}?hidden=${key}`);
      }
    }
    await supertest(api.app).get('/api/v1/calls/%ff').set('Authorization', 'Bearer hidden');
    const after = await scrape(api);
    const labels = [...after.keys()].join('\n');
    expect(labels).not.toMatch(/hidden|nothing|PROPFIND|SEARCH|STATUS|%|dsk_/);
    // At most two methods without a route, and 400, 401 or 405 of a known one.
    const seriesOfOne = 2;
    const seriesOfHistogram = 15;
    expect(after.size - before).toBeLessThanOrEqual(5 * (seriesOfOne + seriesOfHistogram));
    expect(after.get(requests('other', 'unmatched', '404'))).toBeGreaterThan(20);
    expect(after.get(requests('GET', 'unmatched', '404'))).toBeGreaterThan(4);
  });

  test('that the caller aborted, or that are not HTTP, are counted', async () => {
    const metrics = createMetrics();
    const lines: unknown[] = [];
    const logger = winston.createLogger({ silent: true });
    logger.info = ((_message: string, line: unknown) => lines.push(line)) as unknown as typeof logger.info;
    const server = createApiServer(api.app, {
      logger,
      perMinute: LIMIT,
      limits: TEST_CONNECTIONS,
      metrics,
      stopping: new AbortController().signal,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const socket = connect(port, '127.0.0.1').end('nonsense\r\n\r\n');
    await once(socket.resume(), 'close');
    const text = parseScrape(await metrics.registry.metrics()).values;
    expect(text.get(requests('other', 'unmatched', '400'))).toBe(1);
    expect(lines).toEqual([expect.objectContaining({ statusCode: 400, errorCode: 'INVALID_REQUEST' })]);

    await api.db.transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE companies IN ACCESS EXCLUSIVE MODE`;
      const request = httpRequest({
        port,
        host: '127.0.0.1',
        path: '/api/v1/webhooks',
        headers: { authorization: `Bearer ${sessionToken()}` },
      });
      request.on('error', () => {});
      request.end();
      await until('it waits', async () => {
        const [row] = await api.db.$queryRaw<[{ waiting: number }]>`
          SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return row.waiting;
      });
      request.destroy();
      await until('the request to be counted', async () =>
        (await scrape(api)).get(requests('GET', '/webhooks', 'aborted')),
      );
    });
    server.closeAllConnections();
    server.close();
  });
});

describe('while the servers are unavailable', () => {
  let direct: TestDatabase;
  let postgres: TcpProxy;
  let redis: TcpProxy;
  let db: Database;
  let failures = 0;
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    direct = await createTestDatabase();
    await addCompany(direct.db, 1);
    key = await addKey(direct.db, 1);
    postgres = await startTcpProxy(direct.url);
    redis = await startTcpProxy(await createTestRedis());
    db = new Database({
      url: postgres.url,
      poolSize: 2,
      applicationName: 'api under test',
      statementTimeoutMs: 5_000,
      onFailure: () => (failures += 1),
    });
    api = await openTestApi({ db, redisUrl: redis.url });
    await until('Redis to be connected', () => api.redis.status === 'ready');
  });
  afterAll(async () => {
    await api.close();
    await postgres.cut();
    await redis.cut();
    await direct.drop();
  });

  const readyz = () => supertest(api.app).get('/readyz');

  test.each(['cut', 'stall'] as const)(
    'readiness reports the database, and metrics respond: %s',
    async (way) => {
      await readyz().expect(200, { ok: true });
      expect((await scrape(api)).get('deal_signals_ready')).toBe(1);
      api.log.length = 0;
      await postgres[way]();
      await readyz().expect(503, { ok: false, failing: ['database'] });
      expect((await scrape(api)).get('deal_signals_ready')).toBe(0);
      await postgres.restore();
      await until('readiness', async () => (await readyz()).status === 200);
      const probe = await until('the probe to be logged', () =>
        api.log.find(({ route, statusCode }) => route === '/readyz' && statusCode === 503),
      );
      expect(probe).toMatchObject({ level: 'debug', failing: ['database'] });
      // Regardless of the number of probes, there is one line when it begins, and one when it is over.
      expect(api.log.filter(({ message }) => /ready/.test(message))).toEqual([
        expect.objectContaining({ level: 'warn', message: 'api not ready', failing: ['database'] }),
        expect.objectContaining({ level: 'info', message: 'api ready again' }),
      ]);
    },
  );

  test.each([
    ['stops', 'draining', { isStopping: () => true }],
    ['starts', 'starting', { isDatabaseChecked: () => false }],
  ])('a process that %s is not ready, and does not log that', async (_what, word, life) => {
    const app = express().use(createHealthRouter({ ...api.deps, ...life }, { withMetrics: true }));
    api.log.length = 0;
    await supertest(app)
      .get('/readyz')
      .expect(503, { ok: false, failing: [word] });
    const { text } = await supertest(app).get('/metrics').expect(200);
    expect(text).toContain(`deal_signals_failing_checks{check="${word}"} 1`);
    expect(api.log).toEqual([]);
  });

  test('every failure of the database is counted, including transactions that could not begin', async () => {
    await db.$queryRaw`SELECT 1`;
    failures = 0;
    await expect(db.$queryRaw`SELECT nothing`).rejects.toThrow();
    expect(failures).toBe(1);
    await expect(db.transaction((tx) => tx.$executeRaw`SELECT nothing`)).rejects.toThrow();
    expect(failures).toBe(2);
    await postgres.cut();
    await expect(db.transaction((tx) => tx.$executeRaw`SELECT 1`)).rejects.toThrow();
    await postgres.restore();
    expect(failures).toBe(3);
    await db.transaction((tx) => tx.$executeRaw`SELECT 1`);
    expect(failures).toBe(3);
  });

  test('counts the connections to the database by their use', async () => {
    await db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      const values = await scrape(api);
      expect(values.get('deal_signals_database_connections{state="used"}')).toBe(1);
      expect(values.get('deal_signals_database_connections{state="waiting"}')).toBe(0);
    });
  });

  test('an unavailable Redis does not affect readiness, and its errors are counted', async () => {
    const before = (await scrape(api)).get('deal_signals_redis_errors_total') ?? 0;
    await redis.cut();
    await until('a failed reconnect to be counted', async () => {
      return (await scrape(api)).get('deal_signals_redis_errors_total')! > before;
    });
    await readyz().expect(200);
    await api.get('/status', key).expect(200);
    const values = await scrape(api);
    expect(values.get('deal_signals_rate_limit_counted_locally_total')).toBe(1);
    expect(values.get('deal_signals_ready')).toBe(1);
    await redis.restore();
    await until('Redis to be connected again', () => api.redis.status === 'ready');
  });
});
