import type { RunningApp } from '@deal-signals/test-kit/processes';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { balance } from '../../../src/faults/ledger.ts';
import type { Load } from '../../../src/faults/load.ts';
import {
  follow,
  issueRedisTls,
  type RedisNode,
  startRedisCluster,
  startRedisNode,
  startSentinels,
} from '../../../src/faults/redis-nodes.ts';
import { asRedisUser, createRedisUsers, REDIS_USER_PASSWORD } from '../../../src/faults/redis-users.ts';
import { openScene, type Scene } from '../../../src/faults/scene.ts';

// Another server becomes the primary under load. The processes reconnect to it by themselves.

let scene: Scene;
let key: string;
const nodes: RedisNode[] = [];
beforeEach(async () => {
  scene = await openScene();
  key = await addKey(scene.db);
});
afterEach(async () => {
  await scene.close();
  await Promise.all(nodes.splice(0).map((node) => node.stop('SIGKILL')));
});

/** Starts a worker and an API, and captures until both work. */
async function startUnderLoad(
  urlOf: (app: 'worker' | 'api') => string,
  env: Record<string, string> = {},
): Promise<{ worker: RunningApp; api: RunningApp; load: Load }> {
  const load = scene.startLoad();
  const [worker, api] = await Promise.all([
    scene.startWorker({ REDIS_URL: urlOf('worker'), ...env }),
    scene.startApi({ REDIS_URL: urlOf('api'), RATE_LIMIT_PER_MINUTE: '1000', ...env }),
  ]);
  await scene.receiver.untilArrived(20);
  await untilCounted(api);
  return { worker, api, load };
}

/** Sends a request. Returns the remaining requests of the key. */
async function remaining(api: RunningApp): Promise<number> {
  const response = await fetch(`${api.baseUrl}/status`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return Number(response.headers.get('x-ratelimit-remaining'));
}

/** Sends requests until Redis counts them again: each leaves one less to the key, and the process itself counts none. */
const untilCounted = (api: RunningApp) =>
  until('Redis to count the requests', async () => {
    const before = await countedLocally(api);
    const first = await remaining(api);
    for (let request = 1; request < 5; request += 1) {
      if ((await remaining(api)) !== first - request) return false;
    }
    return (await countedLocally(api)) === before;
  });

async function countedLocally(api: RunningApp): Promise<number> {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  return Number(/^deal_signals_rate_limit_counted_locally_total (\d+)$/m.exec(text)?.[1]);
}

async function untilRecovered({ worker, api }: { worker: RunningApp; api: RunningApp }): Promise<void> {
  await until('the worker to be ready', async () => {
    const response = await fetch(`${worker.url}/readyz`);
    const body = await response.text();
    // The error of a timeout then shows what is missing.
    if (response.status !== 200) throw new Error(body);
    return true;
  });
  const before = scene.receiver.arrivals.length;
  await scene.receiver.untilArrived(before + 20);
  await untilCounted(api);
}

/** Claims whose jobs the failover lost are sent again when their leases end. */
async function expectNothingLost(name: string, load: Load): Promise<void> {
  const expected = await load.stop();
  const row = await balance(scene, { name, expected, allowed: 0 });
  expect(row).toMatchObject({ lost: 0, delivered: expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
}

test('the primary becomes a replica while its connections stay open', async () => {
  const [primary, other] = await Promise.all([startRedisNode(), startRedisNode()]);
  nodes.push(primary, other);
  await follow(other, primary);
  const proxy = await scene.startProxy(primary.url);
  const { load, ...apps } = await startUnderLoad(() => proxy.url);
  await other.command('REPLICAOF', 'NO', 'ONE');
  proxy.leadTo(other.url);
  await primary.command('REPLICAOF', ...other.address.split(':'));
  scene.faultOver();
  await untilRecovered(apps);
  await expectNothingLost('Redis failover, old connections stay open', load);
});

const listOf = (servers: readonly RedisNode[]) => servers.map(({ address }) => address).join();

test('Sentinel: the primary is killed', async () => {
  const [primary, replica] = await Promise.all([startRedisNode(), startRedisNode()]);
  nodes.push(primary, replica);
  await follow(replica, primary);
  const sentinels = await startSentinels(primary);
  nodes.push(...sentinels);
  const { load, ...apps } = await startUnderLoad(() => `redis+sentinel://${listOf(sentinels)}/signals/2`);
  await primary.stop('SIGKILL');
  scene.faultOver();
  await untilRecovered(apps);
  expect(String(await replica.command('INFO', 'replication'))).toContain('role:master');
  await expectNothingLost('Redis Sentinel, primary killed', load);
});

test('Sentinel over TLS with a password, as the users of the operators’ page: the primary is killed', async () => {
  const tls = await issueRedisTls();
  const [primary, replica] = await Promise.all([startRedisNode({}, tls), startRedisNode({}, tls)]);
  nodes.push(primary, replica);
  await Promise.all([primary, replica].map(createRedisUsers));
  await follow(replica, primary);
  const password = 'of-the-sentinels';
  const sentinels = await startSentinels(primary, { tls, password });
  nodes.push(...sentinels);
  const { load, ...apps } = await startUnderLoad(
    (app) => `rediss+sentinel://signals-${app}@${listOf(sentinels)}/signals`,
    {
      REDIS_CA_FILE: currentTestRun().caFile,
      REDIS_PASSWORD: REDIS_USER_PASSWORD,
      REDIS_SENTINEL_PASSWORD: password,
    },
  );
  await primary.stop('SIGKILL');
  scene.faultOver();
  await untilRecovered(apps);
  expect(String(await replica.command('INFO', 'replication'))).toContain('role:master');
  expect(await replica.command('ACL', 'LOG')).toEqual([]);
  for (const sentinel of sentinels) {
    // The apps receive the next failover event, too.
    await until('the apps to listen to the Sentinel', async () =>
      / sub=1 .* user=default /.test(String(await sentinel.command('CLIENT', 'LIST'))),
    );
  }
  await expectNothingLost('Redis Sentinel with TLS and ACL, primary killed', load);
});

test('Cluster over TLS, as the users on the operators’ page: the primary of the queues is killed', async () => {
  const cluster = await startRedisCluster('{deal-signals}', { tls: await issueRedisTls() });
  nodes.push(...cluster.primaries, cluster.replica);
  await Promise.all(nodes.map(createRedisUsers));
  const { load, ...apps } = await startUnderLoad(
    (app) => `rediss+cluster://${asRedisUser(app)}${listOf(cluster.primaries)}`,
    { REDIS_CA_FILE: currentTestRun().caFile },
  );
  await cluster.replaced.stop('SIGKILL');
  scene.faultOver();
  await untilRecovered(apps);
  expect(String(await cluster.replica.command('INFO', 'replication'))).toContain('role:master');
  expect(await cluster.replica.command('ACL', 'LOG')).toEqual([]);
  await expectNothingLost('Redis Cluster with TLS and ACL, primary of the queues killed', load);
});
