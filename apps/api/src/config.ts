import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { logLevel } from '@deal-signals/runtime/logger';
import { readEnvironment, urlWithScheme, wholeNumber } from '@deal-signals/runtime/read-environment';
import { type WebhookSettings, webhookSettings, webhookVariables } from '@deal-signals/deliveries/settings';
import { z } from 'zod';
import type { SessionVerification } from './auth/session.ts';
import { REDIS_DEADLINE_MS } from './http/rate-limit.ts';

/** The settings that request handlers use. */
export interface Settings {
  rateLimitPerMinute: number;
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
}

const LEAST_SECRET_CHARACTERS = 32;
const LEAST_RSA_BITS = 2048;

const sharedSecret = z
  .string()
  .min(LEAST_SECRET_CHARACTERS, `must be at least ${LEAST_SECRET_CHARACTERS} characters long`)
  .transform((secret): SessionVerification => ({
    algorithm: 'HS256',
    key: createSecretKey(Buffer.from(secret)),
  }));

const publicKey = z.string().transform((pem, context): SessionVerification => {
  const verification = verificationBy(pem);
  if (verification !== null) return verification;
  context.addIssue({
    code: 'custom',
    message: `must be a public key in PEM form: RSA of at least ${LEAST_RSA_BITS} bits, or EC on the curve P-256`,
  });
  return z.NEVER;
});

const variables = z
  .object({
    PORT: wholeNumber(0, 65_535, 3000),
    DATABASE_URL: urlWithScheme('postgres', 'postgresql'),
    DATABASE_POOL_SIZE: wholeNumber(1, 1000, 10),
    REDIS_URL: urlWithScheme('redis', 'rediss'),
    SESSION_JWT_SECRET: sharedSecret.optional(),
    SESSION_JWT_PUBLIC_KEY: publicKey.optional(),
    RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000, 300),
    LOG_LEVEL: logLevel,
    ...webhookVariables,
  })
  .transform((environment, context): Config => {
    const { SESSION_JWT_SECRET, SESSION_JWT_PUBLIC_KEY } = environment;
    const [sessions, ...others] = [SESSION_JWT_SECRET, SESSION_JWT_PUBLIC_KEY].filter(
      (verification) => verification !== undefined,
    );
    if (sessions === undefined || others.length > 0) {
      context.addIssue({
        code: 'custom',
        path: ['SESSION_JWT_SECRET'],
        message: 'set either this or SESSION_JWT_PUBLIC_KEY',
      });
      return z.NEVER;
    }
    return {
      port: environment.PORT,
      databaseUrl: environment.DATABASE_URL,
      databasePoolSize: environment.DATABASE_POOL_SIZE,
      redisUrl: environment.REDIS_URL,
      sessions,
      webhooks: webhookSettings(environment),
      rateLimitPerMinute: environment.RATE_LIMIT_PER_MINUTE,
      rateLimitDeadlineMs: REDIS_DEADLINE_MS,
      logLevel: environment.LOG_LEVEL,
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

/** Picks the algorithm by the type of the public key; null if the text is not a public key of a supported type. */
function verificationBy(pem: string): SessionVerification | null {
  // Node would derive the public key from a private key, but the API must not hold a private key.
  if (pem.includes('PRIVATE KEY')) return null;
  let key: KeyObject;
  try {
    // Many deployment tools store a variable on one line, with line breaks written as \n.
    key = createPublicKey(pem.replaceAll('\\n', '\n'));
  } catch {
    return null;
  }
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= LEAST_RSA_BITS) return { algorithm: 'RS256', key };
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return { algorithm: 'ES256', key };
  return null;
}
