import {
  Cluster,
  type CommonRedisOptions,
  Redis,
  type SentinelConnectionOptions,
  SentinelConnector,
} from 'ioredis';
import type { RedisSettings } from './settings.ts';

/** A connection to a server, or the connections to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** The options that each use of Redis chooses. */
export type RedisUse = Pick<
  CommonRedisOptions,
  'connectTimeout' | 'commandTimeout' | 'socketTimeout' | 'keepAlive' | 'maxRetriesPerRequest'
> & {
  /** Returns the wait in milliseconds before reconnection attempt number `times`. */
  retryStrategy: (times: number) => number;
  /** Whether commands wait for a missing connection; otherwise they fail at once. */
  enableOfflineQueue: boolean;
  /** How many times a command in a cluster is redirected, or sent again (every 100 ms) while a primary is missing. */
  maxRedirections?: number;
};

/** Timeout of a Sentinel or a node that is asked for the primary. */
const TOPOLOGY_TIMEOUT_MS = 2_000;
/** How often the nodes of a cluster are asked for its topology, so that a new replica is known before it is needed. */
const TOPOLOGY_REFRESH_MS = 5_000;

/**
 * Connects to Redis, for any form of its address. The client reconnects for as long as it exists, and reports every failed
 * attempt as an `error` event, so it needs a listener.
 */
export function connectRedis({ address, ca, sentinelPassword }: RedisSettings, use: RedisUse): RedisClient {
  const { retryStrategy, enableOfflineQueue, maxRedirections, ...common } = use;
  const tls = address.isTls ? { tls: ca === null ? {} : { ca } } : {};
  if (address.kind === 'cluster') {
    const cluster = new Cluster(address.nodes, {
      clusterRetryStrategy: retryStrategy,
      enableOfflineQueue,
      ...(maxRedirections !== undefined && { maxRedirections }),
      slotsRefreshTimeout: TOPOLOGY_TIMEOUT_MS,
      slotsRefreshInterval: TOPOLOGY_REFRESH_MS,
      // Certificates contain host names, so with TLS the name must not be replaced by an address.
      ...(address.isTls && { dnsLookup: (host, callback) => callback(null, host) }),
      redisOptions: { ...common, ...address.credentials, ...tls },
    });
    cluster.on('node error', (error: Error) => cluster.emit('error', error));
    return cluster;
  }
  const options = { ...common, ...tls, retryStrategy, enableOfflineQueue, reconnectOnError: isDemoted };
  if (address.kind === 'single') return new Redis(address.url, options);
  const sentinel: SentinelConnectionOptions = {
    sentinels: address.sentinels,
    name: address.primary,
    sentinelCommandTimeout: TOPOLOGY_TIMEOUT_MS,
    // A primary that is cut off from the Sentinels does not notice that it was replaced. The Sentinels report it.
    failoverDetector: true,
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(address.isTls && { enableTLSForSentinelMode: true, sentinelTLS: tls.tls }),
  };
  const Connector = LastingSentinelConnector;
  return new Redis({ ...options, ...address.credentials, ...sentinel, db: address.db, Connector });
}

/**
 * Asks the Sentinels for the primary before each connection. The failover detector of the previous connection is stopped first.
 * Otherwise, if it reported a failover during this request, ioredis 6.0 would mistake that for a `disconnect()` of the
 * application and never connect again.
 */
class LastingSentinelConnector extends SentinelConnector {
  /** @param options the client's own options, which ioredis declares as unknown. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(
    ...args: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    this.disconnect();
    return super.connect(...args);
  }
}

/**
 * Reports whether an error means that the server behind a connection has become a replica. After some failovers, connections to
 * the former primary stay open, and every write over them fails until the client reconnects. The server also ends a blocking
 * command with such an error.
 */
function isDemoted({ message }: Error): boolean {
  return message.includes('READONLY') || message.startsWith('UNBLOCKED');
}
