import { leadsToPooler } from '@deal-signals/db/database-url';
import { databasePoolSize, databaseVariables } from '@deal-signals/deliveries/database-settings';
import {
  WEBHOOK_FAMILIES,
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
import { flag, wholeNumber } from '@deal-signals/runtime/settings';
import { z } from 'zod';

const SIZING = '[Sizing](operations.md#sizing)';

/** Every setting of the worker, as `docs/operators/settings.md` lists it. */
export const workerSettings = z.object({
  ...processVariables,
  ...databaseVariables,
  DATABASE_POOL_SIZE: databasePoolSize({ least: 2, most: 200 }),
  ...redisVariables,
  WORKER_PORT: wholeNumber({
    least: 0,
    most: 65_535,
    preset: 3_001,
    about: "the worker's port for `/healthz`, `/readyz` and `/metrics`",
  }),
  DISPATCH_TICK_MS: wholeNumber({
    least: 10,
    most: 3_600_000,
    unit: 'ms',
    preset: 15_000,
    about: `the time between two ticks, over all workers: see ${SIZING}`,
  }),
  DISPATCH_BATCH: wholeNumber({
    least: 1,
    most: 10_000,
    preset: 50,
    about: `deliveries that one tick starts, over all workers: see ${SIZING}`,
  }),
  DISPATCH_WAKE: flag(
    'whether commits start deliveries between ticks: see [Delivering at once](operations.md#delivering-at-once)',
  ),
  // The default is one tick of the contract, so the limit never changes the order at the contract's pace. At a faster pace it
  // bounds what an endpoint that hangs can hold.
  DISPATCH_ENDPOINT_LIMIT: wholeNumber({
    least: 1,
    most: 10_000,
    preset: 50,
    about: `deliveries of one endpoint that are in progress at the same time, over all workers; a workspace may have half as many again: see ${SIZING}`,
  }),
  // The default is twice the endpoint limit: an endpoint that hangs leaves half.
  WORKER_CONCURRENCY: wholeNumber({
    least: 1,
    most: 1_000,
    preset: 100,
    about: `attempts at the same time in each worker: see ${SIZING}`,
  }),
  // The database keeps what is younger, whatever a worker asks for: see the function remove_old_audit_records.
  AUDIT_RETENTION_DAYS: wholeNumber({
    least: 30,
    most: 36_500,
    orZero: true,
    unit: 'days',
    preset: 0,
    about: 'how long audit records are kept; 0 for ever',
  }),
  ...webhookVariables,
});

/** How the names of the worker's own settings begin: see `unknownSettings`. */
export const workerFamilies = [...WEBHOOK_FAMILIES, 'AUDIT_RETENTION_', 'DISPATCH_', 'WORKER_CONCURRENCY'];

/**
 * What a workspace may have in progress for each delivery that an endpoint may have. With the default limit of an endpoint, that
 * is 75 of the 100 attempts of a worker: a quarter is left to other workspaces, however many endpoints of one hang.
 */
const WORKSPACE_FOR_EACH_OF_AN_ENDPOINT = 1.5;

/** How one worker process runs. */
export interface Config {
  databaseUrl: string;
  databasePoolSize: number;
  redis: RedisSettings;
  /** The address that the port is opened on. */
  host: string;
  /** Port of the health endpoints; 0 for any free port. */
  port: number;
  /** Time between two ticks of the dispatcher, over all workers. */
  tickMs: number;
  /** Whether commits wake the dispatcher between ticks. */
  wake: boolean;
  /** Deliveries that one tick dispatches, over all workers. */
  batch: number;
  /** Deliveries of one endpoint that may be claimed at the same time, over all workers. */
  endpointLimit: number;
  /** The same of one workspace. */
  workspaceLimit: number;
  /** Concurrent attempts in this process. */
  concurrency: number;
  /** Days for which audit records are kept; 0 for ever. */
  auditRetentionDays: number;
  logLevel: z.infer<typeof logLevel>;
  webhooks: WebhookSettings;
}

/**
 * Reads the configuration; nothing else in this app reads the environment.
 * @throws ConfigurationError that names every variable that is wrong.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(workerSettings.superRefine(checkRedisVariables), environment);
  if (read.DISPATCH_WAKE && leadsToPooler(read.DATABASE_URL)) {
    throw new ConfigurationError(
      'configuration: DISPATCH_WAKE: needs connections of its own, which DATABASE_URL with pgbouncer=true does not give',
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
    workspaceLimit: Math.floor(read.DISPATCH_ENDPOINT_LIMIT * WORKSPACE_FOR_EACH_OF_AN_ENDPOINT),
    concurrency: read.WORKER_CONCURRENCY,
    auditRetentionDays: read.AUDIT_RETENTION_DAYS,
    logLevel: read.LOG_LEVEL,
    webhooks: webhookSettings(read),
  };
}
