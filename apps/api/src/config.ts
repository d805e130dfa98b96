import { type WebhookSettings, webhookSettings, webhookVariables } from '@deal-signals/deliveries/settings';
import { logLevel } from '@deal-signals/runtime/logger';
import { readEnvironment, urlWithScheme, wholeNumber } from '@deal-signals/runtime/read-environment';
import { z } from 'zod';
import { sessionSettings, sessionVariables } from './auth/session-settings.ts';
import type { SessionVerification } from './auth/session.ts';
import { REDIS_DEADLINE_MS } from './http/rate-limit.ts';

/** The settings that request handlers use. */
export interface Settings {
  rateLimitPerMinute: number;
  /** Test events that a workspace may send in a minute. */
  pingsPerMinute: number;
  /** How long a request waits for Redis to count it; then its process counts it. */
  rateLimitDeadlineMs: number;
  sessions: SessionVerification;
  /** How test events are sent, which URLs may be registered, and the key that encrypts signing secrets. */
  webhooks: WebhookSettings;
}

/** The configuration of the process. */
export interface Config extends Settings {
  /** 0 means any free port. */
  port: number;
  databaseUrl: string;
  databasePoolSize: number;
  redisUrl: string;
  logLevel: z.output<typeof logLevel>;
  /** Whether `NODE_ENV` is `production`: the process then warns of settings that are only fit for a test. */
  isProduction: boolean;
}

const variables = z
  .object({
    PORT: wholeNumber(0, 65_535, 3000),
    DATABASE_URL: urlWithScheme('postgres', 'postgresql'),
    DATABASE_POOL_SIZE: wholeNumber(1, 1000, 10),
    REDIS_URL: urlWithScheme('redis', 'rediss'),
    RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000, 300),
    PINGS_PER_MINUTE: wholeNumber(1, 1_000_000, 10),
    LOG_LEVEL: logLevel,
    NODE_ENV: z.string().optional(),
    ...sessionVariables,
    ...webhookVariables,
  })
  .transform((environment, context): Config => {
    const sessions = sessionSettings(environment, (name, message) =>
      context.addIssue({ code: 'custom', path: [name], message }),
    );
    if (sessions === null) return z.NEVER;
    return {
      port: environment.PORT,
      databaseUrl: environment.DATABASE_URL,
      databasePoolSize: environment.DATABASE_POOL_SIZE,
      redisUrl: environment.REDIS_URL,
      sessions,
      webhooks: webhookSettings(environment),
      rateLimitPerMinute: environment.RATE_LIMIT_PER_MINUTE,
      pingsPerMinute: environment.PINGS_PER_MINUTE,
      rateLimitDeadlineMs: REDIS_DEADLINE_MS,
      logLevel: environment.LOG_LEVEL,
      isProduction: environment.NODE_ENV === 'production',
    };
  });

/**
 * Reads the configuration from environment variables; nothing else in this app reads them.
 *
 * @throws ConfigurationError that names the missing or invalid variables.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return readEnvironment(variables, environment);
}
