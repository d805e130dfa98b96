import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addEvent, addKey, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const CLIENTS = 200;
const READERS = 40;
const EVENTS = 250;
/**
 * Each client requests several pages before it reads any. A page has about 4 MB, which is the maximum of a response, and also
 * what Linux buffers by default for a caller that does not read (the third value of `net.ipv4.tcp_wmem`): some kernels buffer a
 * whole page, but none buffers all.
 */
const PAGES_OF_A_CLIENT = 4;
const METADATA = { text: 'x'.repeat(16_000) };

let database: TestDatabase;
let keys: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db, 1);
  await addCompany(database.db, 2);
  keys = await Promise.all([1, 2].map(() => addKey(database.db, 1)));
  const room = await addRoom(database.db, 1, 1);
  for (let n = 1; n <= EVENTS; n += 1) {
    await addEvent(database.db, 1, n, { buyerSpaceId: room, metadata: METADATA });
  }
});
afterAll(() => database.drop());

test('callers that never read their responses use bounded memory', async () => {
  const api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
  });
  const path = `/engagement/events?limit=${EVENTS}`;
  const scrape = async () => parseScrape(await (await fetch(`${api.url}/metrics`)).text()).values;
  const metric = async (name: string) => (await scrape()).get(name) ?? 0;
  const memory = () => metric('process_resident_memory_bytes');
  const headersOf = (n: number) => ({ authorization: `Bearer ${keys[n % keys.length]}` });

  // Callers that read, a few at a time. The memory of the process after them is its normal use.
  let pageBytes = 0;
  for (let sent = 0; sent < READERS; sent += 4) {
    const pages = await Promise.all(
      [0, 1, 2, 3].map(async (n) => (await fetch(api.baseUrl + path, { headers: headersOf(n) })).text()),
    );
    pageBytes = pages[0]?.length ?? 0;
    expect(pageBytes).toBeGreaterThan(4_000_000);
  }
  const normalBytes = await memory();
  const openFiles = () => metric('process_open_fds');
  const normalFiles = await openFiles();

  const clients: Socket[] = [];
  const port = Number(new URL(api.url).port);
  let maxBytes = 0;
  for (let n = 0; n < CLIENTS; n += 1) {
    const client = connect(port, '127.0.0.1').on('error', () => {});
    client.pause();
    clients.push(client);
    await once(client, 'connect');
    const request = `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headersOf(n).authorization}\r\n`;
    client.write(`${`${request}\r\n`.repeat(PAGES_OF_A_CLIENT - 1)}${request}Connection: close\r\n\r\n`);
  }
  // Every connection is closed, either because its caller stalled or after its last request was rejected. The memory peaks in
  // between.
  await until('all connections are closed', async () => {
    maxBytes = Math.max(maxBytes, await memory());
    await sleep(50);
    return (await openFiles()) <= normalFiles;
  });
  expect(await metric('deal_signals_cut_responses_total')).toBeGreaterThan(0);
  // Without a limit, the process would hold a page of almost every client at the same time, and more.
  expect((maxBytes - normalBytes) / (CLIENTS * pageBytes)).toBeLessThan(0.4);
  // The slots of the workspace are released.
  const response = await fetch(api.baseUrl + path, { headers: headersOf(0) });
  expect(response.status).toBe(200);
  await response.text();
  for (const client of clients) client.destroy();
  await api.stop('SIGTERM');
});

test('callers that never read the metrics of a large room keep few of them in memory', async () => {
  const room = await addRoom(database.db, 1, 2);
  // About 13 MB of metrics, more than the buffers of both sockets hold.
  await database.db.$executeRaw`
    INSERT INTO people (company_id, id, room_id, identity, email, name, role, in_committee, updated_at)
    SELECT 1, md5(n::text)::uuid, ${room}::uuid, 'email:' || n || '@example.org', n || '@example.org', repeat('n', 200),
      repeat('r', 100), true, now()
    FROM generate_series(1, 20000) n`;
  const api = await startApp('api', { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() });
  const path = `/api/v1/decision-rooms/${room}/metrics`;
  const port = Number(new URL(api.url).port);
  const held: number[] = [];
  let refused = 0;
  const clients = Array.from({ length: 16 }, (_, n) => {
    const client = connect(port, '127.0.0.1').on('error', () => {});
    client.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys[n % keys.length]}\r\nConnection: close\r\n\r\n`,
    );
    client.once('data', (data: Buffer) => {
      // It does not read any further.
      client.pause();
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1]);
      if (status === 200) held.push(n);
      else refused += 1;
      expect([200, 429]).toContain(status);
    });
    return client;
  });
  await until('each of them has the beginning of a response', () => held.length + refused === clients.length);
  // Two of each key at the same time, and at most a few that arrived when the first had been cut off.
  expect(held.length).toBeGreaterThan(0);
  expect(held.length).toBeLessThanOrEqual(6);
  for (const client of clients) client.destroy();
  const response = await fetch(new URL(path, api.url), { headers: { authorization: `Bearer ${keys[0]}` } });
  expect(response.status).toBe(200);
  await response.text();
  await api.stop('SIGTERM');
});

test('callers that stop reading leave the database to the other requests of their key', async () => {
  const api = await startApp('api', { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() });
  const port = Number(new URL(api.url).port);
  const headers = { authorization: `Bearer ${keys[0]}` };
  const page = `GET /api/v1/engagement/events?limit=${EVENTS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`;
  const begun: string[] = [];
  const clients = Array.from({ length: 5 }, () => {
    const client = connect(port, '127.0.0.1').on('error', () => {});
    client.write(page.repeat(PAGES_OF_A_CLIENT));
    client.once('data', (data: Buffer) => {
      client.pause();
      begun.push(data.toString('latin1').slice(0, 'HTTP/1.1 200'.length));
    });
    return client;
  });
  await until('each of them has the beginning of a page', () => begun.length === clients.length);
  const statuses: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    await sleep(100);
    const response = await fetch(`${api.baseUrl}/status`, { headers });
    statuses.push(response.status);
    await response.text();
  }
  expect([new Set(begun), new Set(statuses)]).toEqual([new Set(['HTTP/1.1 200']), new Set([200])]);
  for (const client of clients) client.destroy();
  await api.stop('SIGTERM');
});
