import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';
import { limitsLeft, showLimits } from './rate-limit-headers.ts';

let api: TestApi;
let proxy: TcpProxy | undefined;

afterEach(async () => {
  await api.close();
  await proxy?.cut();
  proxy = undefined;
});

async function open(user: number, workspace: number, redisUrl?: string): Promise<void> {
  const settings = { managementPerMinute: { user, workspace } };
  api = await openTestApi({ settings, ...(redisUrl !== undefined && { redisUrl }) });
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
  await until('Redis to be connected', () => api.redis.status === 'ready');
}

/** Returns the status of a management request of a user, and each limit with the remaining requests in its headers. */
async function ask(sub: number, companyId = 1, claims: object = {}): Promise<string> {
  const token = sessionToken({ sub: String(sub), companyId, ...claims });
  const { status, headers } = await api.get('/webhooks', token);
  const resets = limitsLeft(headers).map(({ resetSeconds }) => resetSeconds);
  expect(resets.filter((seconds) => seconds < 1 || seconds > 60)).toEqual([]);
  expect(headers['retry-after']).toBe(status === 429 ? String(resets.at(-1)) : undefined);
  return `${status}: ${showLimits(headers)}`;
}

test('limits a user, but neither other users of the workspace nor the same id elsewhere', async () => {
  await open(2, 100);
  expect([await ask(7), await ask(7), await ask(7)]).toEqual([
    '200: user 1 of 2, workspace 99 of 100',
    '200: user 0 of 2, workspace 98 of 100',
    '429: user 0 of 2',
  ]);
  expect(await ask(8)).toBe('200: user 1 of 2, workspace 97 of 100');
  expect(await ask(7, 2)).toBe('200: user 1 of 2, workspace 99 of 100');
});

test('limits a workspace over all its users', async () => {
  await open(3, 4);
  expect([await ask(7), await ask(7)]).toEqual([
    '200: user 2 of 3, workspace 3 of 4',
    '200: user 1 of 3, workspace 2 of 4',
  ]);
  expect([await ask(8), await ask(9), await ask(10)]).toEqual([
    '200: user 2 of 3, workspace 1 of 4',
    '200: user 2 of 3, workspace 0 of 4',
    '429: user 2 of 3, workspace 0 of 4',
  ]);
  expect(await ask(7, 2)).toBe('200: user 2 of 3, workspace 3 of 4');
});

test('rejected requests of a user do not count for the workspace', async () => {
  await open(2, 3);
  for (let n = 0; n < 5; n += 1) await ask(7);
  expect(await ask(6, 1, { permissions: [] })).toBe('403: user 1 of 2');
  expect(await ask(8)).toBe('200: user 1 of 2, workspace 0 of 3');
});

test('limits a session without the permission as well', async () => {
  await open(2, 100);
  const claims = { permissions: [] };
  const statuses = [await ask(7, 1, claims), await ask(7, 1, claims), await ask(7, 1, claims)];
  expect(statuses).toEqual(['403: user 1 of 2', '403: user 0 of 2', '429: user 0 of 2']);
});

test('keys are not affected, and their responses contain only their own limit', async () => {
  await open(1, 1);
  await ask(7);
  const refused = await api.get('/webhooks', sessionToken()).expect(429);
  expect(refused.body.code).toBe('RATE_LIMITED');
  expect(refused.headers['x-ratelimit-limit']).toBe('100000');
  expect(refused.headers['x-ratelimit-remaining']).toBeUndefined();
  const { headers } = await api.get('/status', await addKey(api.db, 1)).expect(200);
  expect(headers['x-ratelimit-remaining']).toBe('99999');
  expect(showLimits(headers)).toBe('key 99999 of 100000');
});

test('the processes of an installation share the limits through Redis', async () => {
  await open(2, 100);
  await ask(7);
  const inRedis = await api.redis.keys('test:rate-limit:*');
  expect(inRedis.toSorted()).toEqual(['test:rate-limit:user:1:7', 'test:rate-limit:users:1']);
});

test('without Redis, the process counts locally', async () => {
  proxy = await startTcpProxy(await createTestRedis());
  await open(2, 100, proxy.url);
  await proxy.cut();
  await until('Redis is gone', () => api.redis.status !== 'ready');
  expect([await ask(7), await ask(7), await ask(7)]).toEqual([
    '200: user 1 of 2, workspace 99 of 100',
    '200: user 0 of 2, workspace 98 of 100',
    '429: user 0 of 2',
  ]);
  await proxy.restore();
  await until('Redis to be back', () => api.redis.status === 'ready');
});
