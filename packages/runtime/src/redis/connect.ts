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

/** What a use of Redis decides for itself. */
export type RedisUse = Pick<
  CommonRedisOptions,
  'connectTimeout' | 'commandTimeout' | 'socketTimeout' | 'keepAlive' | 'maxRetriesPerRequest'
> & {
  /** The wait before attempt number `times` to connect again. */
  retryStrategy: (times: number) => number;
  /** Whether commands wait for a connection that is not there; otherwise they fail at once. */
  enableOfflineQueue: boolean;
  /** How often a cluster may redirect a command, or be asked again while a primary is missing, every 100 ms. */
  maxRedirections?: number;
};

/** How long a Sentinel or a node may take to say where the primary is. */
const TOPOLOGY_TIMEOUT_MS = 2_000;
/** How often the nodes of a cluster are asked who serves what, so that a new replica is known before it is needed. */
const TOPOLOGY_REFRESH_MS = 5_000;

/**
 * Connects to Redis, whichever form its address has. The client connects again by itself for as long as it exists, and
 * reports every failed attempt as an `error` event, so it needs a listener.
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
      // A certificate names hosts, so with TLS the name must not be replaced by its address.
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
    // A primary that is cut off from the Sentinels cannot say that it was replaced. The Sentinels say it.
    failoverDetector: true,
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(address.isTls && { enableTLSForSentinelMode: true, sentinelTLS: tls.tls }),
  };
  const Connector = LastingSentinelConnector;
  return new Redis({ ...options, ...address.credentials, ...sentinel, db: address.db, Connector });
}

/**
 * Asks the Sentinels for the primary at each attempt to connect. The failover detector of the previous connection is ended
 * first: if it reported a failover while the client asks, ioredis 6.0 would take that for a `disconnect()` of ours and never
 * connect again.
 */
class LastingSentinelConnector extends SentinelConnector {
  /** @param options the client's own, of which it only says that they are unknown. */
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
 * Whether an error says that the server behind a connection has become a replica. After some failovers the connections
 * to the former primary stay open, and every write over them fails until the client connects again. The server also ends
 * a blocking command that way.
 */
function isDemoted({ message }: Error): boolean {
  return message.includes('READONLY') || message.startsWith('UNBLOCKED');
}
