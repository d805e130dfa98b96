import { createSecretKey, type KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { Writable } from 'node:stream';
import type { Database } from '@deal-signals/db/database';
import { createSchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { type WebhookSettings, webhookSettings, webhookVariables } from '@deal-signals/deliveries/settings';
import type { OutageTiming } from '@deal-signals/runtime/outage-log';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { createSender } from '@deal-signals/sending/guard/guarded-send';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { checkAgainst } from '@deal-signals/test-kit/published-description';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import jwt from 'jsonwebtoken';
import supertest from 'supertest';
import winston from 'winston';
import { z } from 'zod';
import { createApp } from '../src/app.ts';
import { createKeyUsage } from '../src/auth/key-usage.ts';
import type { SessionVerification, VerificationKeys } from '../src/auth/session-settings.ts';
import type { Settings } from '../src/config.ts';
import { connectForCounting } from '../src/http/limits/rate-limit.ts';
import type { Dependencies } from '../src/http/route.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../src/http/server/server.ts';
import { createMetrics } from '../src/metrics.ts';
import { checkedApp } from './checked-app.ts';

export const SESSION_SECRET = 'a secret of the tests, long enough to be one';

/** Connection limits of a server that only the tests of these limits reach. */
export const TEST_CONNECTIONS: ConnectionLimits = {
  ...CONNECTION_LIMITS,
  connections: 10_000,
  stallMs: 60_000,
};

/** Replaces the production values of a minute and five seconds. */
const OUTAGE_TIMING: OutageTiming = { repeatMs: 600, probeMs: 50 };

/** A line of the log. */
export type LogLine = Record<string, unknown> & { message: string };

export interface TestApi {
  /** Every response is checked against the published description, and `close` fails if one does not match. */
  readonly app: RequestListener;
  readonly database: TestDatabase;
  readonly db: Database;
  readonly redis: RedisClient;
  readonly settings: Settings;
  /** The dependencies of the application. */
  readonly deps: Dependencies;
  readonly log: LogLine[];
  /** Sends a GET below `/api/v1`, or to a path of the console, with an API key or a session token. */
  get(path: string, token?: string): supertest.Test;
  post(path: string, token: string, body?: unknown): supertest.Test;
  patch(path: string, token: string, body: unknown): supertest.Test;
  delete(path: string, token: string): supertest.Test;
  close(): Promise<void>;
}

export interface TestApiOptions {
  settings?: Partial<Settings>;
  /** A connection other than `database.db`, for tests that break it. */
  db?: Database;
  redisUrl?: string;
  isDatabaseChecked?: () => boolean;
}

/** Starts the API in this process, with its own database and Redis. */
export async function openTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  const log: LogLine[] = [];
  const logger = winston.createLogger({
    level: 'debug',
    format: winston.format.json(),
    transports: [
      new winston.transports.Stream({
        stream: new Writable({
          write(line: Buffer, _encoding, done) {
            log.push(JSON.parse(line.toString()) as LogLine);
            done();
          },
        }),
      }),
    ],
  });
  const metrics = createMetrics();
  const url = options.redisUrl ?? (await createTestRedis());
  const address = { kind: 'single' as const, url, isTls: false };
  const redis = connectForCounting(
    { address, ca: null, sentinelPassword: null, prefix: 'test' },
    logger,
    () => metrics.redisErrors.inc(),
    OUTAGE_TIMING,
  );
  // Earlier requests would be counted only in this process.
  await until('Redis to be connected', () => redis.status === 'ready');
  const settings: Settings = {
    redisPrefix: 'test',
    rateLimitPerMinute: 100_000,
    pingsPerMinute: 100_000,
    // On a busy machine Redis may occasionally be late, and requests would then be counted by two counters at random.
    rateLimitDeadlineMs: 10_000,
    adminPort: null,
    // So large that only the tests of these limits reach them.
    concurrency: {
      workspace: 1_000,
      key: 1_000,
      workspaceSlots: 1_000,
      keySlots: 1_000,
      waiting: 1_000,
      waitingUnverified: 1_000,
      maxWaitMs: 60_000,
    },
    managementPerMinute: { user: 100_000, workspace: 100_000 },
    console: {
      perMinute: { user: 100_000, workspace: 100_000 },
      trustedOrigins: [],
      linksStartSessions: false,
    },
    trustedProxies: 0,
    keysPerDay: 100_000,
    sessions: verifiedBy('HS256', createSecretKey(Buffer.from(SESSION_SECRET))),
    oauth: null,
    webhooks: testWebhookSettings(),
    webhookSources: { addresses: null, plannedAddresses: null, plannedFrom: null },
    ...options.settings,
  };
  const sender = createSender(settings.webhooks);
  const keyUsage = createKeyUsage(options.db ?? database.db, logger);
  const deps: Dependencies = {
    db: options.db ?? database.db,
    replicas: null,
    redis,
    sender,
    metrics,
    keyUsage,
    logger,
    settings,
    isDatabaseChecked: options.isDatabaseChecked ?? (() => true),
    schema: createSchemaWatch(),
    isStopping: () => false,
  };
  const unchecked = createApp(deps);
  const problems: string[] = [];
  let app: RequestListener = unchecked;
  for (const path of ['/api/v1/openapi.json', '/console/api/openapi.json']) {
    const { body } = await supertest(unchecked).get(path).expect(200);
    app = checkedApp(app, checkAgainst(body), (problem) => problems.push(problem));
  }
  const send = (
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    token?: string,
  ): supertest.Test => {
    const request = supertest(app)[method](path.startsWith('/console/') ? path : `/api/v1${path}`);
    return token === undefined ? request : request.set('Authorization', `Bearer ${token}`);
  };
  return {
    app,
    database,
    db: database.db,
    redis,
    settings,
    deps,
    log,
    get: (path, token) => send('get', path, token),
    post: (path, token, body) => send('post', path, token).send(body as object | undefined),
    patch: (path, token, body) => send('patch', path, token).send(body as object),
    delete: (path, token) => send('delete', path, token),
    async close() {
      sender.close();
      redis.disconnect();
      await keyUsage.close();
      await options.db?.close();
      await database.drop();
      if (problems.length > 0) throw new Error(`not as published:\n${problems.join('\n')}`);
    },
  };
}

/** The default settings, with the tests' receivers allowed and trusted. */
export function testWebhookSettings(environment: Record<string, string> = {}): WebhookSettings {
  return webhookSettings(
    z.object(webhookVariables).parse({
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      WEBHOOK_CA_FILE: testCaFile(),
      ...environment,
    }),
  );
}

/** The verification of session tokens with keys of the settings. */
export type PinnedSessions = Extract<SessionVerification, VerificationKeys>;

/** The verification of session tokens by default, with keys of the test. */
export function verifiedBy(algorithm: VerificationKeys['algorithm'], ...keys: KeyObject[]): PinnedSessions {
  return { algorithm, keys, issuer: null, audience: null };
}

/** Returns a session token. Undefined claims are omitted. */
export function sessionToken(
  claims: Record<string, unknown> = {},
  key: jwt.Secret | jwt.PrivateKey = SESSION_SECRET,
  algorithm: jwt.Algorithm = 'HS256',
): string {
  const all = {
    sub: '7',
    companyId: 1,
    permissions: ['integrations.crm'],
    exp: Math.floor(Date.now() / 1000) + 600,
    ...claims,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return jwt.sign(given, key, { algorithm, noTimestamp: true });
}
