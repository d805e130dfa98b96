import { leadsToPooler } from '@deal-signals/db/database-url';
import { databasePoolSize, databaseVariables } from '@deal-signals/deliveries/database-settings';
import {
  WEBHOOK_PREFIXES,
  type WebhookSettings,
  webhookSettings,
  webhookVariables,
} from '@deal-signals/deliveries/settings';
import type { logLevel } from '@deal-signals/runtime/logger';
import { processVariables } from '@deal-signals/runtime/process-settings';
import { ConfigurationError, readEnvironment } from '@deal-signals/runtime/read-environment';
import {
  checkRedisVariables,
  type RedisSettings,
  redisSettings,
  redisVariables,
} from '@deal-signals/runtime/redis/settings';
import { flag, setting, wholeNumber } from '@deal-signals/runtime/settings';
import { z } from 'zod';

const SIZING = '[Sizing](operations.md#sizing)';

const httpUrl = z
  .string()
  .refine(
    (url) => /^https?:\/\/[^/@]+(?:\/|$|\?)/i.test(url) && URL.canParse(url),
    'must be a URL with http or https, without credentials',
  );

/** All settings of the worker. `docs/operators/settings.md` is generated from them. */
export const workerSettings = z.object({
  ...processVariables,
  ...databaseVariables,
  DATABASE_POOL_SIZE: databasePoolSize({ min: 2, max: 200 }),
  ...redisVariables,
  WORKER_PORT: wholeNumber({
    min: 0,
    max: 65_535,
    preset: 3_001,
    about: 'the port of the worker for `/healthz`, `/readyz` and `/metrics`',
  }),
  DISPATCH_TICK_MS: wholeNumber({
    min: 10,
    max: 3_600_000,
    unit: 'ms',
    preset: 15_000,
    about: `the interval between two ticks, over all workers: see ${SIZING}`,
  }),
  DISPATCH_BATCH: wholeNumber({
    min: 1,
    max: 10_000,
    preset: 50,
    about: `maximum deliveries that one tick dispatches, over all workers: see ${SIZING}`,
  }),
  DISPATCH_WAKE: flag(
    'dispatch deliveries after each commit, without waiting for the next tick: see [Delivering at once](operations.md#delivering-at-once)',
  ),
  // The default is one tick of the contract, so at the contract's interval the limit never changes the order of deliveries. With
  // shorter ticks, it limits how many claims a hanging endpoint holds.
  DISPATCH_ENDPOINT_LIMIT: wholeNumber({
    min: 1,
    max: 10_000,
    preset: 50,
    about: `maximum deliveries of one endpoint in progress at the same time, over all workers; the limit of a workspace is one and a half times as high: see ${SIZING}`,
  }),
  // The default is twice the endpoint limit, so a hanging endpoint leaves half of the slots free.
  WORKER_CONCURRENCY: wholeNumber({
    min: 1,
    max: 1_000,
    preset: 100,
    about: `maximum concurrent attempts in each worker: see ${SIZING}`,
  }),
  // The database keeps younger records in any case: see the function remove_old_audit_records.
  AUDIT_RETENTION_DAYS: wholeNumber({
    min: 30,
    max: 36_500,
    orZero: true,
    unit: 'days',
    preset: 0,
    about: 'how long audit records are kept; 0 for ever',
  }),
  CONSOLE_URL: setting(httpUrl, {
    about: 'the URL of the console, for the links of alerts',
    form: 'a URL with `http` or `https`',
    otherwise: 'no link',
  }),
  OPERATOR_ALERTS_URL: setting(httpUrl, {
    about:
      'gets the alerts about the endpoints of all workspaces as JSON: see [Alerts about endpoints](operations.md#alerts-about-endpoints)',
    form: 'a URL with `http` or `https`',
    isSecret: true,
  }),
  ...webhookVariables,
});

/** The prefixes of the names of the worker's own settings: see `unknownSettings`. */
export const workerPrefixes = [
  ...WEBHOOK_PREFIXES,
  'AUDIT_RETENTION_',
  'CONSOLE_URL',
  'DISPATCH_',
  'OPERATOR_ALERTS_',
  'WORKER_CONCURRENCY',
];

/**
 * The limit of a workspace as a multiple of the endpoint limit. With the default, that is 75 of the 100 attempts of a worker: a
 * quarter is left to other workspaces, even if many endpoints of one workspace hang.
 */
const WORKSPACE_LIMIT_FACTOR = 1.5;

/** The configuration of a worker process. */
export interface Config {
  databaseUrl: string;
  databasePoolSize: number;
  redis: RedisSettings;
  /** The address to listen on. */
  host: string;
  /** The port of the health endpoints; 0 for any free port. */
  port: number;
  /** The interval between two ticks of the dispatcher, over all workers. */
  tickMs: number;
  /** Whether commits wake the dispatcher between ticks. */
  wake: boolean;
  /** Maximum deliveries that one tick dispatches, over all workers. */
  batch: number;
  /** Maximum deliveries of one endpoint that are claimed at the same time, over all workers. */
  endpointLimit: number;
  /** Maximum deliveries of one workspace that are claimed at the same time, over all workers. */
  workspaceLimit: number;
  /** Maximum concurrent attempts in this process. */
  concurrency: number;
  /** How many days audit records are kept; 0 for ever. */
  auditRetentionDays: number;
  /** The URL of the console; null if alerts have no links. */
  consoleUrl: string | null;
  /** The URL that gets the alerts of all workspaces; null if there is none. */
  operatorAlertsUrl: string | null;
  logLevel: z.infer<typeof logLevel>;
  webhooks: WebhookSettings;
}

/**
 * Reads the configuration. This is the only place in the app that reads the environment.
 *
 * @throws ConfigurationError that names every invalid variable.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(workerSettings.superRefine(checkRedisVariables), environment);
  if (read.DISPATCH_WAKE && leadsToPooler(read.DATABASE_URL)) {
    throw new ConfigurationError(
      'configuration: DISPATCH_WAKE: must be false with pgbouncer=true in DATABASE_URL, because waking requires dedicated connections',
    );
  }
  return {
    databaseUrl: read.DATABASE_URL,
    databasePoolSize: read.DATABASE_POOL_SIZE,
    redis: redisSettings(read),
    host: read.HOST,
    port: read.WORKER_PORT,
    tickMs: read.DISPATCH_TICK_MS,
    wake: read.DISPATCH_WAKE,
    batch: read.DISPATCH_BATCH,
    endpointLimit: read.DISPATCH_ENDPOINT_LIMIT,
    workspaceLimit: Math.floor(read.DISPATCH_ENDPOINT_LIMIT * WORKSPACE_LIMIT_FACTOR),
    concurrency: read.WORKER_CONCURRENCY,
    auditRetentionDays: read.AUDIT_RETENTION_DAYS,
    consoleUrl: read.CONSOLE_URL ?? null,
    operatorAlertsUrl: read.OPERATOR_ALERTS_URL ?? null,
    logLevel: read.LOG_LEVEL,
    webhooks: webhookSettings(read),
  };
}
