import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startService } from '@deal-signals/local-stack/processes/service-process';
import { findFreePort, onFreePort } from '@deal-signals/local-stack/servers/ports';
import { type RedisServer, startRedis } from '@deal-signals/local-stack/servers/redis';
import { findRedisProgram } from '@deal-signals/local-stack/servers/redis-program';
import { issueTestCertificate } from '@deal-signals/test-kit/servers/test-certificate';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { Redis } from 'ioredis';
import { serverFolder } from './scene.ts';

/** One Redis server among several. */
export interface RedisNode {
  readonly url: string;
  /** The host and port at which apps and other servers reach it. */
  readonly address: string;
  /** Runs one command over a new connection. */
  command(name: string, ...args: (string | number)[]): Promise<unknown>;
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

/** Settings for TLS with a certificate that contains the server's name and no address. */
export type RedisTls = Readonly<Record<string, string>>;

const HOST = '127.0.0.1';
const NAME = 'localhost';
const SENTINELS = 3;
const PRIMARIES = 3;
const SLOTS = 16_384;
/** How long a server may be silent before the others replace it. */
const SILENCE_MS = 500;

/** Issues the certificate of servers that use TLS, including between each other. */
export async function issueRedisTls(): Promise<RedisTls> {
  const folder = await serverFolder();
  const [certificateFile, keyFile] = [path.join(folder, 'redis.pem'), path.join(folder, 'redis-key.pem')];
  const { cert, key } = await issueTestCertificate([NAME], undefined, true);
  await Promise.all([writeFile(certificateFile, cert), writeFile(keyFile, key, { mode: 0o600 })]);
  return {
    'tls-cert-file': certificateFile,
    'tls-key-file': keyFile,
    'tls-ca-cert-file': currentTestRun().caFile,
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
    // The name may resolve to either address.
    bind: '127.0.0.1 -::1',
  };
}

/**
 * Starts a server that stores nothing on disk.
 *
 * @param tls settings of its address. The `url`, which only the test uses, has no TLS.
 */
export async function startRedisNode(
  settings: Record<string, string> = {},
  tls: RedisTls | null = null,
): Promise<RedisNode> {
  const dataDir = path.join(await serverFolder(), 'redis');
  const tlsPort = await findFreePort(0);
  const server: RedisServer = await onFreePort(0, (port) =>
    startRedis({
      dataDir,
      port,
      settings: {
        appendonly: 'no',
        'repl-diskless-sync-delay': '0',
        ...(tls && { ...tls, 'tls-port': String(tlsPort), 'replica-announce-ip': NAME }),
        ...settings,
      },
    }),
  );
  const address = tls === null ? `${HOST}:${server.port}` : `${NAME}:${tlsPort}`;
  return asNode(server.url, address, (signal) => server.process.stop(signal));
}

/** Makes a server the replica of another, and waits until it has its data. */
export async function follow(replica: RedisNode, primary: RedisNode): Promise<void> {
  await replica.command('REPLICAOF', ...primary.address.split(':'));
  await until('the replica to be in step', async () => {
    const info = String(await replica.command('INFO', 'replication'));
    return info.includes('role:slave') && info.includes('master_link_status:up');
  });
}

/**
 * Starts three Sentinels that monitor a primary under the name `signals`.
 *
 * @param secured the settings they need if the primary uses TLS, and the password that they require. The user of that password
 * has the rights that the operators' page lists.
 */
export async function startSentinels(
  primary: RedisNode,
  secured: { tls: RedisTls; password: string } | null = null,
): Promise<RedisNode[]> {
  const program = await findRedisProgram();
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, () =>
      onFreePort(0, async (port) => {
        const folder = path.join(await serverFolder(), 'redis');
        const file = `${folder}-sentinel.conf`;
        const tlsPort = await findFreePort(0);
        const security = secured && [
          ...Object.entries(secured.tls).map((setting) => setting.join(' ')),
          `tls-port ${tlsPort}`,
          'sentinel resolve-hostnames yes',
          'sentinel announce-hostnames yes',
          `sentinel announce-ip ${NAME}`,
          `user default reset on >${secured.password} +sentinel +subscribe &+switch-master`,
          `user peer reset on >${secured.password} +@all &*`,
          'sentinel sentinel-user peer',
          `sentinel sentinel-pass ${secured.password}`,
        ];
        await writeFile(
          file,
          [
            `port ${port}`,
            ...(security ?? [`bind ${HOST}`]),
            `sentinel monitor signals ${primary.address.replace(':', ' ')} 2`,
            `sentinel down-after-milliseconds signals ${SILENCE_MS}`,
            'sentinel failover-timeout signals 3000',
            '',
          ].join('\n'),
        );
        const service = await startService({
          name: 'Sentinel',
          command: program,
          args: [file, '--sentinel'],
          logFile: `${folder}-sentinel.log`,
          logMode: 'append',
          recordFile: `${folder}-sentinel.json`,
          stopSignal: 'SIGTERM',
          stopTimeoutMs: 10_000,
        });
        return asNode(
          `redis://${secured === null ? '' : `peer:${secured.password}@`}${HOST}:${port}`,
          secured === null ? `${HOST}:${port}` : `${NAME}:${tlsPort}`,
          (signal) => service.stop(signal),
        );
      }),
    ),
  );
  await until('the Sentinels to know each other and the replica', async () => {
    const states = await Promise.all(
      sentinels.map(async (sentinel) => {
        const fields = (await sentinel.command('SENTINEL', 'MASTER', 'signals')) as string[];
        const count = (name: string) => Number(fields[fields.indexOf(name) + 1]);
        return count('num-other-sentinels') === SENTINELS - 1 && count('num-slaves') > 0;
      }),
    );
    return states.every(Boolean);
  });
  return sentinels;
}

/** A cluster with three primaries, one of them with a replica. */
export interface RedisCluster {
  readonly primaries: readonly RedisNode[];
  /** The replica that takes over from the primary with the slot of the cluster's key. */
  readonly replica: RedisNode;
  /** The primary with that slot. */
  readonly replaced: RedisNode;
}

/**
 * Starts a cluster.
 *
 * @param key the primary with its slot gets the replica.
 * @param options.silenceMs how long a server may be silent before the others replace it.
 */
export async function startRedisCluster(
  key: string,
  { tls = null, silenceMs = SILENCE_MS }: { tls?: RedisTls | null; silenceMs?: number } = {},
): Promise<RedisCluster> {
  const nodes = await Promise.all(
    Array.from({ length: PRIMARIES + 1 }, async () =>
      startRedisNode(
        {
          'cluster-enabled': 'yes',
          'cluster-node-timeout': String(silenceMs),
          'cluster-replica-validity-factor': '0',
          'cluster-port': String(await findFreePort(0)),
          ...(tls && {
            'tls-cluster': 'yes',
            'cluster-announce-hostname': NAME,
            'cluster-preferred-endpoint-type': 'hostname',
          }),
        },
        tls,
      ),
    ),
  );
  const [first, ...others] = nodes as [RedisNode, ...RedisNode[]];
  const primaries = nodes.slice(0, PRIMARIES);
  const replica = nodes[PRIMARIES] as RedisNode;
  for (const [n, node] of primaries.entries()) {
    const [from, to] = [n, n + 1].map((share) => Math.floor((share * SLOTS) / PRIMARIES)) as [number, number];
    await node.command('CLUSTER', 'SET-CONFIG-EPOCH', n + 1);
    await node.command('CLUSTER', 'ADDSLOTSRANGE', from, to - 1);
  }
  for (const node of others) {
    const [, busPort] = (await node.command('CONFIG', 'GET', 'cluster-port')) as [string, string];
    await first.command('CLUSTER', 'MEET', HOST, ...node.address.split(':').slice(1), busPort);
  }
  const knowsAll = async (node: RedisNode) =>
    String(await node.command('CLUSTER', 'INFO')).includes(`cluster_known_nodes:${nodes.length}`);
  await until('the nodes to know each other', async () =>
    (await Promise.all(nodes.map(knowsAll))).every(Boolean),
  );
  const slot = Number(await first.command('CLUSTER', 'KEYSLOT', key));
  const replaced = primaries[Math.floor((slot * PRIMARIES) / SLOTS)] as RedisNode;
  await replica.command('CLUSTER', 'REPLICATE', String(await replaced.command('CLUSTER', 'MYID')));
  const isOk = async (node: RedisNode) =>
    String(await node.command('CLUSTER', 'INFO')).includes('cluster_state:ok');
  await until('the cluster to be ok', async () => (await Promise.all(nodes.map(isOk))).every(Boolean));
  await until('the replica to be in step', async () =>
    String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
  );
  return { primaries, replica, replaced };
}

function asNode(url: string, address: string, stop: RedisNode['stop']): RedisNode {
  return {
    url,
    address,
    async command(name, ...args) {
      const redis = new Redis(url, { maxRetriesPerRequest: 1, enableReadyCheck: false });
      redis.on('error', () => {});
      try {
        return await redis.call(name, ...args.map(String));
      } finally {
        redis.disconnect();
      }
    },
    stop,
  };
}
