import { DATABASE_URL_FORM, isDatabaseUrl, leadsToPooler } from '@deal-signals/db/database-url';
import { type WebhookSettings, webhookSettings, webhookVariables } from '@deal-signals/deliveries/settings';
import { logLevel } from '@deal-signals/runtime/logger';
import {
  ConfigurationError,
  flag,
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

const variables = z.object({
  DATABASE_URL: z.string({ error: DATABASE_URL_FORM }).refine(isDatabaseUrl, DATABASE_URL_FORM),
  DATABASE_POOL_SIZE: wholeNumber(2, 200, 10),
  ...redisVariables,
  HOST: listenAddress,
  WORKER_PORT: wholeNumber(0, 65_535, 3_001),
  DISPATCH_TICK_MS: wholeNumber(10, 3_600_000, 15_000),
  DISPATCH_WAKE: flag,
  DISPATCH_BATCH: wholeNumber(1, 10_000, 50),
  DISPATCH_ENDPOINT_LIMIT: wholeNumber(1, 10_000, 50),
  DISPATCH_WORKSPACE_LIMIT: wholeNumber(1, 10_000, 75),
  WORKER_CONCURRENCY: wholeNumber(1, 1_000, 100),
  RETENTION_DAYS: wholeNumber(0, 36_500, 90),
  // The database keeps what is younger, whatever a worker asks for: see the function remove_old_audit_records.
  AUDIT_RETENTION_DAYS: wholeNumber(0, 36_500, 0).refine((days) => days === 0 || days >= 30, {
    message: 'must be 0 or a whole number from 30 to 36500',
  }),
  LOG_LEVEL: logLevel,
  ...webhookVariables,
});

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
  /**
   * Deliveries of one endpoint that may be claimed at the same time, over all workers. The default is one tick of the
   * contract, so the limit never changes the order at the contract's pace. At a faster pace it bounds what an endpoint
   * that hangs can hold.
   */
  endpointLimit: number;
  /**
   * Deliveries of one workspace that may be claimed at the same time, over all workers. The default leaves a quarter of a
   * single worker to the others, however many endpoints of that workspace hang.
   */
  workspaceLimit: number;
  /** Concurrent attempts in this process. The default is twice the endpoint limit: an endpoint that hangs leaves half. */
  concurrency: number;
  /** Days for which finished deliveries are kept, with their attempts and events; 0 for ever. */
  retentionDays: number;
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
  const read = readEnvironment(
    variables.superRefine(checkRedisVariables).refine(hasSecretKey, NO_KEY_ISSUE),
    environment,
  );
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
    workspaceLimit: read.DISPATCH_WORKSPACE_LIMIT,
    concurrency: read.WORKER_CONCURRENCY,
    retentionDays: read.RETENTION_DAYS,
    auditRetentionDays: read.AUDIT_RETENTION_DAYS,
    logLevel: read.LOG_LEVEL,
    webhooks: webhookSettings(read),
  };
}
