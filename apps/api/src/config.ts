import { DATABASE_URL_FORM, isDatabaseUrl } from '@deal-signals/db/database-url';
import { type WebhookSettings, webhookSettings, webhookVariables } from '@deal-signals/deliveries/settings';
import { logLevel } from '@deal-signals/runtime/logger';
import {
  commaSeparated,
  listenAddress,
  readEnvironment,
  wholeNumber,
} from '@deal-signals/runtime/read-environment';
import {
  checkRedisVariables,
  type RedisSettings,
  redisSettings,
  redisVariables,
} from '@deal-signals/runtime/redis/settings';
import { hasSecretKey, NO_KEY_ISSUE } from '@deal-signals/sending/secret-keys';
import { z } from 'zod';
import { sessionSettings, sessionVariables } from './auth/session-settings.ts';
import type { SessionVerification } from './auth/session.ts';
import { trustedProxies, type TrustedProxies } from './auth/trusted-proxies.ts';
import { type CaptureSettings, captureSettings, captureVariables } from './capture/settings.ts';
import { type PlaceLimits, placeLimits, shareOfPool } from './http/places.ts';
import { REDIS_DEADLINE_MS } from './http/rate-limit.ts';
import { type ConnectionLimits, REQUEST_TIMES } from './http/server.ts';

/** The settings that request handlers use. */
export interface Settings {
  rateLimitPerMinute: number;
  /** What the keys of the rate limits begin with. */
  redisPrefix: string;
  /** Test events that a workspace may send in a minute. */
  pingsPerMinute: number;
  /** How long a request waits for Redis to count it; then its process counts it. */
  rateLimitDeadlineMs: number;
  /** How many requests of a workspace and of a key are handled at the same time. */
  places: PlaceLimits;
  /** The port of health and metrics; null if they are on the port of the API. 0 means any free port. */
  adminPort: number | null;
  /** Management requests of one user, and of all users of a workspace together. */
  managementPerMinute: { user: number; workspace: number };
  console: {
    /** Requests of the console's page, of one user and of all users of a workspace together. */
    perMinute: { user: number; workspace: number };
    /** The origins of pages that may show the console in a frame, and start a session of it without asking its user. */
    trustedOrigins: readonly string[];
    /** Whether every link may do so: of a process for development, where the console is opened on the same machine. */
    linksStartSessions: boolean;
  };
  /** The proxies in front of the API. The caller's address is the one that the first of them reports. */
  trustedProxies: TrustedProxies;
  /** API keys that a workspace may create in 24 hours, including rotations. */
  keysPerDay: number;
  /** The origins of web pages that may use the Model Context Protocol. */
  mcpAllowedOrigins: readonly string[];
  sessions: SessionVerification;
  /** How test events are sent, which URLs may be registered, and the key that encrypts signing secrets. */
  webhooks: WebhookSettings;
}

/** The configuration of the process. */
export interface Config extends Settings {
  /** The address that the ports are opened on. */
  host: string;
  connections: ConnectionLimits;
  /** How long a process that was told to stop still accepts connections, while it says that it is not ready. */
  shutdownDelayMs: number;
  /** How records are taken in over HTTP; null if they are not. */
  capture: CaptureSettings | null;
  /** 0 means any free port. */
  port: number;
  databaseUrl: string;
  databasePoolSize: number;
  /** Standbys that serve the feeds and the metrics. */
  replicaUrls: readonly string[];
  /** A replica that is further behind the primary, in milliseconds, is not read from. */
  replicaMaxLagMs: number;
  redis: RedisSettings;
  logLevel: z.output<typeof logLevel>;
  /** Whether `NODE_ENV` is `production`: the process then warns of settings that are only fit for a test. */
  isProduction: boolean;
}

const variables = z
  .object({
    HOST: listenAddress,
    PORT: wholeNumber(0, 65_535, 3000),
    API_ADMIN_PORT: wholeNumber(0, 65_535, 0).unwrap().optional(),
    DATABASE_URL: z.string({ error: DATABASE_URL_FORM }).refine(isDatabaseUrl, DATABASE_URL_FORM),
    DATABASE_POOL_SIZE: wholeNumber(1, 1000, 10),
    DATABASE_REPLICA_URLS: commaSeparated.refine(
      (urls) => urls.every(isDatabaseUrl),
      'must be PostgreSQL URLs of one host each, separated by commas',
    ),
    DATABASE_REPLICA_MAX_LAG_MS: wholeNumber(1_000, 600_000, 5_000),
    ...redisVariables,
    MAX_CONNECTIONS: wholeNumber(10, 100_000, 4_000),
    RESPONSE_STALL_TIMEOUT_MS: wholeNumber(100, 600_000, 10_000),
    SHUTDOWN_DELAY_MS: wholeNumber(0, 300_000, 5_000),
    // The default depends on the size of the pool.
    WORKSPACE_CONCURRENCY: wholeNumber(1, 1000, 1).unwrap().optional(),
    RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000, 300),
    PINGS_PER_MINUTE: wholeNumber(1, 1_000_000, 10),
    MANAGEMENT_LIMIT_PER_USER: wholeNumber(1, 1_000_000, 300),
    MANAGEMENT_LIMIT_PER_WORKSPACE: wholeNumber(1, 1_000_000, 600),
    TRUSTED_PROXIES: trustedProxies,
    CONSOLE_LIMIT_PER_USER: wholeNumber(1, 1_000_000, 600),
    CONSOLE_LIMIT_PER_WORKSPACE: wholeNumber(1, 1_000_000, 3_000),
    CONSOLE_TRUSTED_ORIGINS: commaSeparated.refine(
      (origins) => origins.every(isOrigin),
      'must be origins separated by commas, such as https://app.example.com',
    ),
    API_KEYS_PER_DAY: wholeNumber(1, 1_000_000, 400),
    MCP_ALLOWED_ORIGINS: commaSeparated.refine(
      (origins) => origins.every(isOrigin),
      'must be origins separated by commas, such as https://app.example.com',
    ),
    LOG_LEVEL: logLevel,
    NODE_ENV: z.string().optional(),
    ...sessionVariables,
    ...webhookVariables,
    ...captureVariables,
  })
  .superRefine(checkRedisVariables)
  .refine(hasSecretKey, NO_KEY_ISSUE)
  .transform((environment, context): Config => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    const sessions = sessionSettings(environment, refuse);
    const capture = captureSettings(environment, environment.RESPONSE_STALL_TIMEOUT_MS, refuse);
    if (sessions === null) return z.NEVER;
    return {
      host: environment.HOST,
      port: environment.PORT,
      adminPort: environment.API_ADMIN_PORT ?? null,
      connections: {
        connections: environment.MAX_CONNECTIONS,
        stallMs: environment.RESPONSE_STALL_TIMEOUT_MS,
        ...REQUEST_TIMES,
      },
      shutdownDelayMs: environment.SHUTDOWN_DELAY_MS,
      capture,
      databaseUrl: environment.DATABASE_URL,
      databasePoolSize: environment.DATABASE_POOL_SIZE,
      replicaUrls: environment.DATABASE_REPLICA_URLS,
      replicaMaxLagMs: environment.DATABASE_REPLICA_MAX_LAG_MS,
      redis: redisSettings(environment),
      redisPrefix: environment.REDIS_PREFIX,
      sessions,
      webhooks: webhookSettings(environment),
      rateLimitPerMinute: environment.RATE_LIMIT_PER_MINUTE,
      places: placeLimits(environment.WORKSPACE_CONCURRENCY ?? shareOfPool(environment.DATABASE_POOL_SIZE)),
      pingsPerMinute: environment.PINGS_PER_MINUTE,
      rateLimitDeadlineMs: REDIS_DEADLINE_MS,
      managementPerMinute: {
        user: environment.MANAGEMENT_LIMIT_PER_USER,
        workspace: environment.MANAGEMENT_LIMIT_PER_WORKSPACE,
      },
      console: {
        perMinute: {
          user: environment.CONSOLE_LIMIT_PER_USER,
          workspace: environment.CONSOLE_LIMIT_PER_WORKSPACE,
        },
        trustedOrigins: environment.CONSOLE_TRUSTED_ORIGINS,
        linksStartSessions: environment.NODE_ENV === 'development',
      },
      trustedProxies: environment.TRUSTED_PROXIES,
      keysPerDay: environment.API_KEYS_PER_DAY,
      mcpAllowedOrigins: environment.MCP_ALLOWED_ORIGINS,
      logLevel: environment.LOG_LEVEL,
      isProduction: environment.NODE_ENV === 'production',
    };
  });

/** Whether a text is an origin as browsers send it: scheme, host and port, in lower case and without a path. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && text === `${new URL(text).protocol}//${new URL(text).host}`;
}

/**
 * Reads the configuration from environment variables; nothing else in this app reads them.
 *
 * @throws ConfigurationError that names the missing or invalid variables.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return readEnvironment(variables, environment);
}
