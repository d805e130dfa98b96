import { startApp } from '@deal-signals/test-kit/processes';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { balance } from '../../../src/faults/ledger.ts';
import {
  issueRedisTls,
  type RedisNode,
  startRedisCluster,
  startRedisNode,
} from '../../../src/faults/redis-nodes.ts';
import { asRedisUser, createRedisUsers } from '../../../src/faults/redis-users.ts';
import { openScene, type Scene } from '../../../src/faults/scene.ts';

let scene: Scene;
const nodes: RedisNode[] = [];
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  await scene.close();
  await Promise.all(nodes.splice(0).map((node) => node.stop('SIGKILL')));
});

const startTlsNode = async () => startRedisNode({}, await issueRedisTls());

/** None of its servers is replaced, even on a busy machine. */
async function startCluster(): Promise<RedisNode[]> {
  const { primaries, replica } = await startRedisCluster('{deal-signals}', { silenceMs: 60_000 });
  return [...primaries, replica];
}

/** Returns how many requests an API has counted without Redis. */
async function countedLocally(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^deal_signals_rate_limit_counted_locally_total (\d+)$/m.exec(text)?.[1]);
}

test.each([
  ['TLS', 'rediss', async () => [await startTlsNode()]],
  ['a cluster', 'redis+cluster', startCluster],
])(
  'a worker and an API do all their work with %s, as the users on the operators’ page',
  async (name, scheme, start) => {
    nodes.push(...(await start()));
    await Promise.all(nodes.map(createRedisUsers));
    const env = (app: 'worker' | 'api') => ({
      REDIS_URL: `${scheme}://${asRedisUser(app)}${nodes.map(({ address }) => address).join()}`,
      ...(scheme === 'rediss' && { REDIS_CA_FILE: currentTestRun().caFile }),
    });
    /** On primaries only, because a replica has the keys of its primary. */
    const onAllNodes = async (command: string, ...args: string[]) => {
      const responses = await Promise.all(nodes.map((node) => node.command(command, ...args)));
      return [...new Set(responses.flat() as string[])];
    };

    const [, api] = await Promise.all([
      scene.startWorker(env('worker')),
      scene.startApi({ ...env('api'), RATE_LIMIT_PER_MINUTE: '1000' }),
    ]);
    const key = await addKey(scene.db);
    await captureEvents(scene.db, ['a', 'b', 'c']);
    // On a busy machine, Redis may be too slow for the first request, which has to connect to a node of a cluster.
    await until('Redis to count a request in time', async () => {
      const before = await countedLocally(api.url);
      const response = await fetch(`${api.baseUrl}/status`, { headers: { Authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
      return (await countedLocally(api.url)) === before;
    });
    expect(await onAllNodes('KEYS', 'deal-signals:rate-limit:*')).toHaveLength(1);

    const row = await balance(scene, { name: `Redis with ${name} and ACL`, expected: 3, allowed: 0 });
    expect(row).toMatchObject({ lost: 0, delivered: 3, duplicates: 0, exitCodes: [0] });
    expect(await onAllNodes('ACL', 'LOG')).toEqual([]);
    const keys = await onAllNodes('KEYS', '*');
    expect(keys.filter((stored) => !/^(\{deal-signals\}|deal-signals):/.test(stored))).toEqual([]);
  },
);

test('an app rejects a certificate of another authority, and an authority without TLS', async () => {
  const redis = await startTlsNode();
  nodes.push(redis);
  const { caFile } = currentTestRun();
  const env = { DATABASE_URL: scene.databaseUrl, DISPATCH_TICK_MS: '100' };
  const distrustful = await startApp(
    'worker',
    { ...env, REDIS_URL: `rediss://${redis.address}` },
    { waitUntilReady: false },
  );
  await distrustful.waitForOutput(/certificate/);
  expect(await distrustful.stop()).toBe(0);
  const wrong = await startApp(
    'worker',
    { ...env, REDIS_URL: redis.url, REDIS_CA_FILE: caFile },
    { waitUntilReady: false },
  );
  expect((await wrong.exited).exitCode).toBe(1);
  expect(wrong.output()).toContain('REDIS_CA_FILE: needs a REDIS_URL that begins with rediss');
});
