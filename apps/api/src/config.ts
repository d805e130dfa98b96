import { isDatabaseUrl } from '@deal-signals/db/database-url';
import { databasePoolSize, databaseVariables } from '@deal-signals/deliveries/database-settings';
import {
  WEBHOOK_PREFIXES,
  type WebhookSettings,
  webhookSettings,
  webhookVariables,
} from '@deal-signals/deliveries/settings';
import type { logLevel } from '@deal-signals/runtime/logger';
import { processVariables } from '@deal-signals/runtime/process-settings';
import { readEnvironment } from '@deal-signals/runtime/read-environment';
import {
  checkRedisVariables,
  type RedisSettings,
  redisSettings,
  redisVariables,
} from '@deal-signals/runtime/redis/settings';
import { commaSeparated, setting, wholeNumber } from '@deal-signals/runtime/settings';
import { z } from 'zod';
import { type OAuthSettings, oauthSettings, oauthVariables } from './auth/oauth-settings.ts';
import { sessionSettings, sessionVariables, type SessionVerification } from './auth/session-settings.ts';
import { trustedProxies, type TrustedProxies } from './auth/trusted-proxies.ts';
import { type CaptureSettings, captureSettings, captureVariables } from './capture/settings.ts';
import { concurrencyLimits, type ConcurrencyLimits, shareOfPool } from './http/limits/concurrency-limiter.ts';
import { REDIS_DEADLINE_MS } from './http/limits/rate-limit.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './http/server/server.ts';
import {
  readWebhookSources,
  type WebhookSources,
  webhookSourceVariables,
} from './webhook-sources/settings.ts';

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
  concurrency: ConcurrencyLimits;
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
  sessions: SessionVerification;
  /** The access tokens that the tools for models accept beside API keys; null if there are none. */
  oauth: OAuthSettings | null;
  /** How test events are sent, which URLs may be registered, and the key that encrypts signing secrets. */
  webhooks: WebhookSettings;
  /** The addresses that deliveries come from, which are published. */
  webhookSources: WebhookSources;
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
  redis: RedisSettings;
  logLevel: z.output<typeof logLevel>;
  /** Whether `NODE_ENV` is `production`: the process then warns of settings that are only fit for a test. */
  isProduction: boolean;
}

/** The limits of other callers, for each request of a minute that `RATE_LIMIT_PER_MINUTE` grants to a key. */
export const FOR_EACH_OF_A_KEY = {
  /** A user works like one key, and two of them at a time leave the rest of a workspace's share to its keys. */
  management: { user: 1, workspace: 2 },
  /** A page of the console makes several requests, and an open one goes on; ten people may work with it all day. */
  console: { user: 2, workspace: 10 },
  /** Each test event is a request to a host that an admin has chosen. */
  pings: 1 / 30,
};
/** Far more than systems that read the API, even if each key is replaced daily; all keys ever made are kept. */
export const KEYS_PER_DAY = 400;
/** Longer than any of our statements takes on a healthy database. A slower one is cancelled, so that they do not pile up. */
export const STATEMENT_TIMEOUT_MS = 10_000;

/** Every setting of the API, as `docs/operators/settings.md` lists it. */
export const apiSettings = z.object({
  ...processVariables,
  PORT: wholeNumber({
    min: 0,
    max: 65_535,
    preset: 3000,
    about:
      'the port of the API; also of its `/healthz`, `/readyz` and `/metrics`, unless `API_ADMIN_PORT` is set',
  }),
  API_ADMIN_PORT: wholeNumber({
    min: 0,
    max: 65_535,
    about: 'a port of the API for health and metrics; `PORT` then has no `/metrics`',
  }),
  ...databaseVariables,
  DATABASE_POOL_SIZE: databasePoolSize({ min: 1, max: 1000 }),
  DATABASE_REPLICA_URLS: setting(
    commaSeparated.refine(
      (urls) => urls.every(isDatabaseUrl),
      'must be PostgreSQL URLs of one host each, separated by commas',
    ),
    {
      about: 'standbys that serve the feeds: see [Replicas](operations.md#replicas)',
      form: 'URLs of PostgreSQL separated by commas',
      preset: '',
    },
  ),
  ...redisVariables,
  SHUTDOWN_DELAY_MS: wholeNumber({
    min: 0,
    max: 300_000,
    unit: 'ms',
    preset: 5_000,
    about:
      'how long a process that was told to stop still serves while it says that it is not ready: see [Deploying](operations.md#deploying)',
  }),
  WORKSPACE_CONCURRENCY: wholeNumber({
    min: 1,
    max: 1000,
    about: 'requests of one workspace that use the database at the same time, in each process',
    otherwise: 'a fifth of `DATABASE_POOL_SIZE`',
  }),
  RATE_LIMIT_PER_MINUTE: wholeNumber({
    min: 1,
    max: 1_000_000,
    preset: 300,
    about:
      'requests of one API key in a minute, over all processes. The other limits are multiples of it, for one caller and for all of a workspace: management requests 1 and 2, requests of the console 2 and 10, requests of assistants with access tokens 1 and 2; test events of a workspace 1/30',
  }),
  TRUSTED_PROXIES: setting(trustedProxies, {
    about: 'the proxies in front of the API: see [Proxies](operations.md#proxies)',
    form: 'addresses and networks separated by commas, or how many there are',
    preset: '0',
  }),
  CONSOLE_TRUSTED_ORIGINS: setting(
    commaSeparated.refine(
      (items) => items.every(isOrigin),
      'must be origins separated by commas, such as https://app.example.com',
    ),
    {
      about:
        'pages that may show the console in a frame and start its sessions: see [The console](../console.md)',
      form: 'origins separated by commas, such as `https://app.example.com`',
      preset: '',
    },
  ),
  NODE_ENV: setting(z.string(), {
    about:
      'in `production`, the API warns of settings that are only fit for a test; in `development`, links start sessions of the console without a question',
    form: 'any text; the images set `production`',
  }),
  ...sessionVariables,
  ...oauthVariables,
  ...webhookVariables,
  ...webhookSourceVariables,
  ...captureVariables,
});

/** How the names of the API's own settings begin: see `unknownSettings`. */
export const apiPrefixes = [
  ...WEBHOOK_PREFIXES,
  'API_ADMIN_',
  'CAPTURE_',
  'CONSOLE_TRUSTED_',
  'OAUTH_',
  'RATE_LIMIT_',
  'SESSION_JWT_',
  'TRUSTED_PROX',
  'WEBHOOK_PLANNED_',
  'WEBHOOK_SOURCE_',
  'WORKSPACE_CONCURRENCY',
];

const variables = apiSettings.superRefine(checkRedisVariables).transform((environment, context): Config => {
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  const sessions = sessionSettings(environment, refuse);
  const oauth = oauthSettings(environment, refuse);
  const capture = captureSettings(
    environment,
    {
      host: environment.HOST,
      poolSize: environment.DATABASE_POOL_SIZE,
      stallMs: CONNECTION_LIMITS.stallMs,
    },
    refuse,
  );
  const webhookSources = readWebhookSources(environment, refuse);
  if (sessions === null) return z.NEVER;
  const perMinute = environment.RATE_LIMIT_PER_MINUTE;
  const forEach = ({ user, workspace }: { user: number; workspace: number }) => ({
    user: perMinute * user,
    workspace: perMinute * workspace,
  });
  return {
    host: environment.HOST,
    port: environment.PORT,
    adminPort: environment.API_ADMIN_PORT ?? null,
    connections: CONNECTION_LIMITS,
    shutdownDelayMs: environment.SHUTDOWN_DELAY_MS,
    capture,
    databaseUrl: environment.DATABASE_URL,
    databasePoolSize: environment.DATABASE_POOL_SIZE,
    replicaUrls: environment.DATABASE_REPLICA_URLS,
    redis: redisSettings(environment),
    redisPrefix: environment.REDIS_PREFIX,
    sessions,
    oauth,
    webhooks: webhookSettings(environment),
    webhookSources,
    rateLimitPerMinute: perMinute,
    concurrency: concurrencyLimits(
      environment.WORKSPACE_CONCURRENCY ?? shareOfPool(environment.DATABASE_POOL_SIZE),
    ),
    pingsPerMinute: Math.ceil(perMinute * FOR_EACH_OF_A_KEY.pings),
    rateLimitDeadlineMs: REDIS_DEADLINE_MS,
    managementPerMinute: forEach(FOR_EACH_OF_A_KEY.management),
    console: {
      perMinute: forEach(FOR_EACH_OF_A_KEY.console),
      trustedOrigins: environment.CONSOLE_TRUSTED_ORIGINS,
      linksStartSessions: environment.NODE_ENV === 'development',
    },
    trustedProxies: environment.TRUSTED_PROXIES,
    keysPerDay: KEYS_PER_DAY,
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
