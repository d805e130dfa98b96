import { once } from 'node:events';
import { connect } from 'node:net';
import { singleKey } from '@deal-signals/sending/secrets/secret-keys';
import { encryptSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { startTcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let database: TestDatabase;
let environment: { DATABASE_URL: string; REDIS_URL: string };
let key: string;
/** An API with the default settings, for tests that do not change them. Starting one takes most of a test's time. */
let usual: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() };
  await addCompany(database.db, 1);
  key = await addKey(database.db, 1);
  usual = await startApp('api', { ...environment, HOST: undefined, RATE_LIMIT_PER_MINUTE: undefined });
});

afterAll(() => database.drop());

const statusOf = (baseUrl: string) =>
  fetch(`${baseUrl}/status`, { headers: { authorization: `Bearer ${key}` } });

test('a stopping process completes the running request, and exits with 0', async () => {
  const api = await startApp('api', environment);
  expect(api.output()).toContain('"message":"api ready"');
  let response: Promise<Response> | undefined;
  let exitCode: Promise<number | null> | undefined;
  await database.db.transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE companies IN ACCESS EXCLUSIVE MODE`;
    response = statusOf(api.baseUrl);
    await until('the request to wait for the lock', async () => {
      const [row] = await tx.$queryRaw<[{ waiting: number }]>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.waiting;
    });
    exitCode = api.stop('SIGTERM');
    await api.waitForOutput('"message":"api stopping"');
    await until('new connections are refused', () =>
      fetch(new URL('/healthz', api.baseUrl)).then(
        () => false,
        () => true,
      ),
    );
  });
  expect((await response)?.status).toBe(200);
  expect(await exitCode).toBe(0);
  expect(api.output()).toContain('"message":"api stopped"');
});

/** Starts an API that cannot be ready, and waits until it listens. */
async function startWithoutDatabase(databaseUrl: string, change = {}): Promise<RunningApp> {
  const env = { ...environment, ...change, DATABASE_URL: databaseUrl };
  const api = await startApp('api', env, { waitUntilReady: false });
  await until('the API to listen', () =>
    fetch(new URL('/healthz', api.baseUrl)).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return api;
}

test('a process that starts before its database serves requests once the database is available', async () => {
  const proxy = await startTcpProxy(database.url);
  await proxy.cut();
  const api = await startWithoutDatabase(proxy.url);
  try {
    const ready = () => fetch(new URL('/readyz', api.baseUrl)).then(({ status }) => status);
    expect(await ready()).toBe(503);
    expect((await statusOf(api.baseUrl)).status).toBe(503);
    expect(api.output()).not.toContain('"message":"api ready"');
    await proxy.restore();
    await until('the API to be ready', async () => (await ready()) === 200);
    expect((await statusOf(api.baseUrl)).status).toBe(200);
    await api.waitForOutput('"message":"api ready"');
  } finally {
    expect(await api.stop('SIGTERM')).toBe(0);
    await proxy.cut();
  }
});

test('a process that waits for its database can be stopped immediately', async () => {
  // It was never ready, so no load balancer has to notice the stop. The test kit would kill it after 20 seconds.
  const api = await startWithoutDatabase('postgres://127.0.0.1:1/nowhere', { SHUTDOWN_DELAY_MS: '60000' });
  expect(await api.stop('SIGINT')).toBe(0);
});

test('a process listens only on loopback, unless HOST is set', async () => {
  const listens = async (url: string, host: string) => {
    const socket = connect(Number(new URL(url).port), host);
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  };
  const start = (app: 'api' | 'worker', HOST?: string) => startApp(app, { ...environment, HOST });
  const [api, worker, openWorker] = await Promise.all([
    start('api', '0.0.0.0'),
    start('worker'),
    start('worker', '0.0.0.0'),
  ]);
  for (const { local, everywhere } of [
    { local: usual, everywhere: api },
    { local: worker, everywhere: openWorker },
  ]) {
    // All addresses of 127.0.0.0/8 lead to this machine, but the process listens only on the first one.
    expect(await listens(local.url, '127.0.0.1')).toBe(true);
    expect(await listens(local.url, '127.0.0.2')).toBe(false);
    expect(await listens(everywhere.url, '127.0.0.2')).toBe(true);
  }
  await Promise.all([api, worker, openWorker].map((process) => process.stop('SIGTERM')));
});

test('an admin port serves health and metrics, and the port of the API then has no metrics', async () => {
  const api = await startApp('api', { ...environment, API_ADMIN_PORT: '0' });
  await api.waitForOutput('"adminPort"');
  const adminPort = /"adminPort":(\d+)/.exec(api.output())?.[1];
  const statusesOf = (baseUrl: string) =>
    Promise.all(
      ['/healthz', '/readyz', '/metrics', '/api/v1/docs'].map(async (path) => {
        const response = await fetch(new URL(path, baseUrl));
        // An unread page of this length keeps its connection open.
        await response.arrayBuffer();
        return response.status;
      }),
    );
  expect(await statusesOf(api.url)).toEqual([200, 200, 404, 200]);
  expect(await statusesOf(`http://127.0.0.1:${adminPort}`)).toEqual([200, 200, 200, 404]);
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  expect(metrics).toContain('deal_signals_requests_total{method="GET",route="/healthz",status_code="200"} 2');
  expect(await api.stop('SIGTERM')).toBe(0);
});

test('a process whose admin port is in use exits with one line that contains the setting', async () => {
  const { port } = new URL(usual.url);
  const second = await startApp('api', { ...environment, API_ADMIN_PORT: port }, { waitUntilReady: false });
  expect(await second.exited).toMatchObject({ exitCode: 1 });
  expect(second.output()).toBe(`API_ADMIN_PORT: cannot listen on ${port} of 127.0.0.1 (EADDRINUSE)\n`);
});

test('a process with an invalid variable exits with one line that contains its name', async () => {
  const api = await startApp('api', { ...environment, PORT: 'http' }, { waitUntilReady: false });
  expect(await api.exited).toMatchObject({ exitCode: 1 });
  expect(api.output()).toBe('configuration: PORT: must be a whole number from 0 to 65535\n');
});

test('a process with unsafe settings of the database session exits', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c synchronous_commit=off');
  const api = await startApp('api', { ...environment, DATABASE_URL: url.href }, { waitUntilReady: false });
  expect(await api.exited).toMatchObject({ exitCode: 1 });
  expect(api.output()).toContain('DATABASE_URL: ');
});

test.each([
  ['text that is not HTTP', 'NONSENSE\r\n\r\n'],
  [
    'a request with headers that are too large',
    `GET /api/v1/status HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
])('%s gets an error body', async (_what, request) => {
  const socket = connect(Number(new URL(usual.baseUrl).port), '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => (response += String(chunk)));
  socket.write(request);
  await once(socket, 'close');
  const [head, body] = response.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toMatch(/^X-RateLimit-Limit: 300\r$/m);
  expect(JSON.parse(body ?? '')).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a process whose SECRETS_KEY does not decrypt the stored secrets exits', async () => {
  const other = await createTestDatabase();
  await addCompany(other.db, 1);
  const secretCiphertext = encryptSigningSecret(singleKey(Buffer.alloc(32, 9)), 1, 'whsec_x');
  await addEndpoint(other.db, { secretCiphertext });
  const api = await startApp('api', { ...environment, DATABASE_URL: other.url }, { waitUntilReady: false });
  expect((await api.exited).exitCode).toBe(1);
  expect(api.output()).toContain('SECRETS_KEY: does not decrypt the stored signing secrets');
  await other.drop();
});

test('in production, the process warns at start if tokens of every issuer or audience are accepted', async () => {
  const outputWith = async (change: Record<string, string>) => {
    const api = await startApp('api', { ...environment, ...change });
    await api.stop('SIGTERM');
    return api.output();
  };
  const warning = '"message":"session tokens of any issuer or audience are accepted"';
  expect(usual.output()).not.toContain(warning);
  const named = { SESSION_JWT_ISSUER: 'login', SESSION_JWT_AUDIENCE: 'signals' };
  const [open, closed] = await Promise.all([
    outputWith({ NODE_ENV: 'production', SESSION_JWT_ISSUER: 'login' }),
    outputWith({ NODE_ENV: 'production', ...named }),
  ]);
  expect(open).toContain(warning);
  expect(open).toContain('"missing":["SESSION_JWT_AUDIENCE"]');
  expect(closed).not.toContain(warning);
});
