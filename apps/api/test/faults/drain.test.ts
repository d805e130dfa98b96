import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CAPTURE_ENV, captureUrlOf, openSender } from '@deal-signals/test-kit/capture-sender';
import { type RunningApp, startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sessionToken } from '../test-api.ts';

const CLIENTS = 30;
/** Like a load balancer, but more often. */
const PROBE_MS = 50;

let database: TestDatabase;
let environment: Record<string, string>;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    ...CAPTURE_ENV,
  };
  await addCompany(database.db, 1);
  key = await addKey(database.db, 1);
});

afterAll(() => database.drop());

/** A response whose body was read. */
interface Seen {
  status: number | undefined;
  connection: string | undefined;
  body: string;
}

async function request(url: string, token: string, agent: Agent): Promise<Seen> {
  const sent = get(url, { agent, headers: { authorization: `Bearer ${token}` } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status, headers } = response;
  return { status, connection: headers.connection, body: await text(response) };
}

const readiness = (url: string) => request(`${url}/readyz`, '', new Agent());

/** Opens an idle connection, and reports how it ends. */
async function openIdle(
  url: string,
  firstRequest: string,
): Promise<{ socket: Socket; ended: Promise<string> }> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const ended = new Promise<string>((resolve) => {
    socket.once('error', (error) => resolve(String(error)));
    socket.once('end', () => resolve('end'));
  });
  await once(socket, 'connect');
  if (firstRequest !== '') {
    socket.write(firstRequest);
    await once(socket, 'data');
  }
  socket.resume();
  return { socket, ended };
}

/**
 * Starts clients that send one request after another over a kept connection, to the process that the load balancer considers
 * ready.
 */
function startClients(target: () => RunningApp) {
  const failures: string[] = [];
  const served = new Map<RunningApp, Seen[]>();
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!over.signal.aborted) {
      const app = target();
      try {
        const seen = await request(`${app.baseUrl}/calls`, key, agent);
        if (seen.status !== 200) failures.push(`${seen.status} ${seen.body}`);
        served.set(app, [...(served.get(app) ?? []).slice(-CLIENTS), seen]);
      } catch (error) {
        failures.push(String(error));
      }
      await sleep(30);
    }
    agent.destroy();
  });
  return {
    failures,
    lastOf: (app: RunningApp) => served.get(app) ?? [],
    async end() {
      over.abort();
      await Promise.all(clients);
    },
  };
}

test('a process with 30 keep-alive clients is replaced without a reset or a failed request', async () => {
  const old = await startApp('api', { ...environment, SHUTDOWN_DELAY_MS: '5000' });
  const next = await startApp('api', { ...environment, SHUTDOWN_DELAY_MS: '60000' });
  let ready = old;
  const isReady = () => readiness(old.url).then(({ status }) => status === 200);
  const balancer = (async () => {
    while (await isReady()) await sleep(PROBE_MS);
    ready = next;
  })();
  const clients = startClients(() => ready);
  await until('the clients are served', () => clients.lastOf(old).length >= CLIENTS);
  expect(clients.lastOf(old).map(({ connection }) => connection)).not.toContain('close');
  const idle = await Promise.all(
    ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', ''].map((first) => openIdle(old.url, first)),
  );
  const capture = await captureUrlOf(old);
  const sender = openSender(capture, '?onError=continue');
  let held: Promise<Seen> | undefined;
  let exitCode: Promise<number | null> | undefined;
  await database.db.transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE audit_records IN ACCESS EXCLUSIVE MODE`;
    const session = sessionToken({}, createSecretKey(Buffer.from(TEST_SECRETS.SESSION_JWT_SECRET)));
    held = request(`${old.baseUrl}/audit-log`, session, new Agent({ keepAlive: true }));
    await until('the request waits for the lock', async () => {
      const [row] = await database.db.$queryRaw<[{ waiting: number }]>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.waiting;
    });

    exitCode = old.stop('SIGTERM');
    await balancer;
    // It is not ready, but serves requests, also over new connections, and accepts records.
    const draining = { status: 503, connection: 'close', body: '{"ok":false,"failing":["draining"]}' };
    expect(await readiness(old.url)).toEqual(draining);
    expect(await readiness(capture)).toEqual(draining);
    sender.send(
      '{"record":"event","companyId":1,"type":"room_visit","occurredAt":"2026-09-01","distributionId":"x"}\n',
    );
    await sender.untilLine({ line: 1 });
    const late = await request(`${old.baseUrl}/calls`, key, new Agent({ keepAlive: true }));
    expect(late).toMatchObject({ status: 200, connection: 'close' });
    await until('the port is closed', () =>
      readiness(old.url).then(
        () => false,
        () => true,
      ),
    );
    await until('the new process serves all', () => clients.lastOf(next).length >= CLIENTS);
  });
  // The request was in progress all the time, with a lock that no other request needed.
  expect(await held).toMatchObject({ status: 200, connection: 'close' });
  expect((await sender.ended).lines.at(-1)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await exitCode).toBe(0);
  await clients.end();
  expect(clients.failures).toEqual([]);
  expect(await Promise.all(idle.map(({ ended }) => ended))).toEqual(['end', 'end']);
  expect(old.output()).not.toContain('cut off');

  // It would wait for a minute. A second signal ends it.
  const end = next.stop('SIGTERM');
  await next.waitForOutput('"message":"api stopping"');
  process.kill(next.pid, 'SIGTERM');
  expect(await end).toBe(143);
});
