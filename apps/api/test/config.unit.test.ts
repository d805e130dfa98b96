import { generateKeyPairSync } from 'node:crypto';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import { describe, expect, test } from '@jest/globals';
import { findToken } from '../src/capture/tokens.ts';
import { readConfig } from '../src/config.ts';
import type { PinnedSessions } from './test-api.ts';

const COMPLETE = {
  DATABASE_URL: 'postgres://localhost/deals',
  REDIS_URL: 'redis://localhost',
  SESSION_JWT_SECRET: 'x'.repeat(32),
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
};

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: typeof rsa.publicKey) => String(key.export({ type: 'spki', format: 'pem' }));
const ecPem = (namedCurve: string) => pem(generateKeyPairSync('ec', { namedCurve }).publicKey);

test('a password of Redis may contain characters with a meaning in URLs', () => {
  expect(
    readConfig({ ...COMPLETE, REDIS_URL: 'redis://cache:6379', REDIS_PASSWORD: 'a/b+c=@#' }).redis.address,
  ).toMatchObject({ url: 'redis://:a%2Fb%2Bc%3D%40%23@cache:6379' });
});

test('the defaults are the values of the contract', () => {
  expect(readConfig(COMPLETE)).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    adminPort: null,
    connections: { connections: 4_000, stallMs: 10_000, headersMs: 15_000, requestMs: 30_000 },
    concurrency: {
      workspace: 2,
      key: 1,
      workspaceSlots: 16,
      keySlots: 8,
      waiting: 100,
      maxWaitMs: 5_000,
    },
    databasePoolSize: 10,
    rateLimitPerMinute: 300,
    pingsPerMinute: 10,
    managementPerMinute: { user: 300, workspace: 600 },
    console: { perMinute: { user: 600, workspace: 3_000 }, trustedOrigins: [], linksStartSessions: false },
    trustedProxies: 0,
    keysPerDay: 400,
    logLevel: 'info',
    webhooks: { timeoutMs: 10_000, maxAttempts: 8, disableAfter: 20, allowedPrivateHosts: new Set() },
    sessions: {
      algorithm: 'HS256',
      issuer: null,
      audience: null,
    },
    isProduction: false,
    oauth: null,
    capture: null,
  });
});

test('the addresses of webhooks are read with a planned change, and trimmed', () => {
  expect(
    readConfig({
      ...COMPLETE,
      WEBHOOK_SOURCE_ADDRESSES: '192.0.2.0/28, 2001:db8::1',
      WEBHOOK_PLANNED_SOURCE_ADDRESSES: '198.51.100.7',
      WEBHOOK_PLANNED_SOURCE_FROM: '2027-02-01',
    }).webhookSources,
  ).toEqual({
    addresses: ['192.0.2.0/28', '2001:db8::1'],
    plannedAddresses: ['198.51.100.7'],
    plannedFrom: '2027-02-01',
  });
});

test.each([
  ['development', true],
  ['production', false],
  ['test', false],
])('links start sessions of the console in a process for %s: %s', (name, expected) => {
  expect(readConfig({ ...COMPLETE, NODE_ENV: name }).console.linksStartSessions).toBe(expected);
});

test('each variable sets its own field', () => {
  const { sessions, capture, webhooks, ...rest } = readConfig({
    ...COMPLETE,
    HOST: '::1',
    PORT: '8080',
    API_ADMIN_PORT: '0',
    DATABASE_POOL_SIZE: '31',
    DATABASE_REPLICA_URLS: 'postgres://two/deals, postgres://three/deals',
    REDIS_PREFIX: 'eu',
    SHUTDOWN_DELAY_MS: '103',
    WORKSPACE_CONCURRENCY: '20',
    RATE_LIMIT_PER_MINUTE: '104',
    CONSOLE_TRUSTED_ORIGINS: 'https://app.example,http://localhost:5173',
    TRUSTED_PROXIES: '2',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    SESSION_JWT_SECRET_PREVIOUS: 'y'.repeat(32),
    SESSION_JWT_ISSUER: 'login',
    SESSION_JWT_AUDIENCE: 'signals',
    OAUTH_ISSUER: 'https://login.example/',
    OAUTH_AUDIENCE: 'https://api.example/signals/mcp',
    CAPTURE_PORT: '8081',
    CAPTURE_TOKENS: 'a'.repeat(32),
    WEBHOOK_TIMEOUT_MS: '115',
  });
  expect(rest).toEqual({
    host: '::1',
    port: 8080,
    adminPort: 0,
    connections: { connections: 4_000, stallMs: 10_000, headersMs: 15_000, requestMs: 30_000 },
    shutdownDelayMs: 103,
    databaseUrl: COMPLETE.DATABASE_URL,
    databasePoolSize: 31,
    replicaUrls: ['postgres://two/deals', 'postgres://three/deals'],
    redis: expect.objectContaining({ prefix: 'eu' }),
    redisPrefix: 'eu',
    rateLimitPerMinute: 104,
    rateLimitDeadlineMs: expect.any(Number),
    concurrency: expect.objectContaining({ workspace: 20, key: 10, workspaceSlots: 20, keySlots: 10 }),
    pingsPerMinute: 4,
    managementPerMinute: { user: 104, workspace: 208 },
    console: {
      perMinute: { user: 208, workspace: 1_040 },
      trustedOrigins: ['https://app.example', 'http://localhost:5173'],
      linksStartSessions: false,
    },
    webhookSources: { addresses: null, plannedAddresses: null, plannedFrom: null },
    oauth: { issuer: 'https://login.example/', audience: 'https://api.example/signals/mcp' },
    trustedProxies: 2,
    keysPerDay: 400,
    logLevel: 'warn',
    isProduction: true,
  });
  const { keys, ...verification } = sessions as PinnedSessions;
  expect({ ...verification, keys: keys.map((key) => key.export().toString()) }).toEqual({
    algorithm: 'HS256',
    keys: ['x'.repeat(32), 'y'.repeat(32)],
    issuer: 'login',
    audience: 'signals',
  });
  expect(capture).toEqual({
    host: '::1',
    port: 8081,
    tokens: [expect.objectContaining({ workspaceId: null })],
    streams: 100,
    poolSize: 13,
    idleMs: 60_000,
    stallMs: 10_000,
  });
  expect(webhooks.timeoutMs).toBe(115);
});

test.each([
  ['0', 0],
  ['100', 100],
  ['10.20.1.7', ['10.20.1.7']],
  ['10.20.1.0/24, 2001:db8::/64 ,loopback', ['10.20.1.0/24', '2001:db8::/64', 'loopback']],
])('proxies are trusted by their number or by their networks: %s', (text, trustedProxies) => {
  expect(readConfig({ ...COMPLETE, TRUSTED_PROXIES: text })).toMatchObject({ trustedProxies });
});

test('all missing and invalid variables are reported together', () => {
  expect(() => readConfig({ PORT: 'http', REDIS_PREFIX: 'a b' })).toThrow(
    /PORT: .*DATABASE_URL: .*REDIS_URL: .*REDIS_PREFIX: .*SECRETS_KEY: /,
  );
});

describe('the capture port', () => {
  const token = 'a'.repeat(32);
  const captureOf = (change: NodeJS.ProcessEnv) =>
    readConfig({ ...COMPLETE, CAPTURE_PORT: '0', ...change }).capture;
  const messageOf = (tokens?: string) => {
    try {
      captureOf({ CAPTURE_TOKENS: tokens });
    } catch (error) {
      return error instanceof ConfigurationError ? error.message : String(error);
    }
    return null;
  };

  test('is closed unless it is set, and listens on the same address as the others', () => {
    expect(readConfig({ ...COMPLETE, CAPTURE_TOKENS: token }).capture).toBeNull();
    expect(captureOf({ CAPTURE_TOKENS: token, HOST: '10.0.0.1' })).toMatchObject({
      host: '10.0.0.1',
      port: 0,
      streams: 100,
      poolSize: 4,
      idleMs: 60_000,
      stallMs: 10_000,
    });
  });

  test('requires a token, and the error names the variable without its value', () => {
    expect(messageOf()).toMatch(/^configuration: CAPTURE_TOKENS: is required when CAPTURE_PORT is set/);
    expect(messageOf(' , ')).toMatch(/^configuration: CAPTURE_TOKENS: is required/);
    const short = 'b'.repeat(31);
    for (const wrong of [short, `${token},${short}`, `1001:${short}`, `${token} x`, `3000000000:${token}`]) {
      expect([wrong, messageOf(wrong)]).toEqual([
        wrong,
        expect.stringMatching(/^configuration: CAPTURE_TOKENS: each token must be at least 32 characters/),
      ]);
      expect(messageOf(wrong)).not.toContain(short);
    }
  });

  test('finds a token among several, with its workspace', () => {
    const { tokens = [] } =
      captureOf({ CAPTURE_TOKENS: `${token}, 1001:${'b'.repeat(40)},:${'c'.repeat(31)}` }) ?? {};
    expect(findToken(tokens, token)).toMatchObject({ workspaceId: null });
    expect(findToken(tokens, 'b'.repeat(40))).toMatchObject({ workspaceId: 1001 });
    expect(findToken(tokens, `:${'c'.repeat(31)}`)).toMatchObject({ workspaceId: null });
    for (const unknown of ['', 'a'.repeat(31), 'a'.repeat(33), `1001:${'b'.repeat(40)}`]) {
      expect(findToken(tokens, unknown)).toBeUndefined();
    }
  });
});

test('a workspace may use a fifth of the pool by default, and each key half of that', () => {
  const concurrencyOf = (change: NodeJS.ProcessEnv) => {
    const { workspace, key, workspaceSlots } = readConfig({ ...COMPLETE, ...change }).concurrency;
    return [workspace, key, workspaceSlots];
  };
  expect(concurrencyOf({ DATABASE_POOL_SIZE: '1' })).toEqual([1, 1, 16]);
  expect(concurrencyOf({ DATABASE_POOL_SIZE: '9' })).toEqual([1, 1, 16]);
  expect(concurrencyOf({ DATABASE_POOL_SIZE: '90' })).toEqual([18, 9, 18]);
  expect(concurrencyOf({ WORKSPACE_CONCURRENCY: '6' })).toEqual([6, 3, 16]);
});

test('the type of the key decides the algorithm of session tokens', () => {
  const algorithmOf = (SESSION_JWT_PUBLIC_KEY: string) =>
    (readConfig({ ...COMPLETE, SESSION_JWT_SECRET: '', SESSION_JWT_PUBLIC_KEY }).sessions as PinnedSessions)
      .algorithm;
  expect(algorithmOf(pem(rsa.publicKey))).toBe('RS256');
  expect(algorithmOf(pem(rsa.publicKey).replaceAll('\n', '\\n'))).toBe('RS256');
  expect(algorithmOf(ecPem('P-256'))).toBe('ES256');
});

test('a previous key of the same algorithm verifies tokens too', () => {
  const keysOf = (change: NodeJS.ProcessEnv) => {
    const { algorithm, keys } = readConfig({ ...COMPLETE, ...change }).sessions as PinnedSessions;
    return [algorithm, keys.length];
  };
  expect(keysOf({})).toEqual(['HS256', 1]);
  expect(keysOf({ SESSION_JWT_SECRET_PREVIOUS: 'y'.repeat(32) })).toEqual(['HS256', 2]);
  const other = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
  expect(keysOf({ SESSION_JWT_SECRET: '', SESSION_JWT_PUBLIC_KEY: `${pem(rsa.publicKey)}${other}` })).toEqual(
    ['RS256', 2],
  );
});

test('the keys of session tokens can be fetched', () => {
  const SESSION_JWT_JWKS_URL = 'https://login.example/jwks';
  const { sessions } = readConfig({ ...COMPLETE, SESSION_JWT_SECRET: '', SESSION_JWT_JWKS_URL });
  expect(sessions).toEqual({ jwksUrl: SESSION_JWT_JWKS_URL, issuer: null, audience: null });
});

const OAUTH = { OAUTH_ISSUER: 'https://login.example', OAUTH_AUDIENCE: 'https://api.example/mcp' };
const FETCHED = { SESSION_JWT_SECRET: undefined, SESSION_JWT_JWKS_URL: 'https://login.example/jwks' };

test('the servers of tokens must use https, except on this machine', () => {
  const oauth = { OAUTH_ISSUER: 'http://127.0.0.1:1', OAUTH_AUDIENCE: 'http://[::1]:2/mcp' };
  const ofSessions = { ...FETCHED, SESSION_JWT_JWKS_URL: 'http://localhost:3/jwks' };
  const SESSION_JWT_AUDIENCE = 'https://console.example';
  expect(readConfig({ ...COMPLETE, ...oauth, ...ofSessions, SESSION_JWT_AUDIENCE })).toMatchObject({
    oauth: { issuer: 'http://127.0.0.1:1', audience: 'http://[::1]:2/mcp' },
    sessions: { jwksUrl: 'http://localhost:3/jwks' },
  });
});

test.each<[string, NodeJS.ProcessEnv]>([
  ['PORT', { PORT: '65536' }],
  ['SESSION_JWT_SECRET', { ...FETCHED, SESSION_JWT_SECRET: 'x'.repeat(32) }],
  ['SESSION_JWT_SECRET', { ...FETCHED, SESSION_JWT_PUBLIC_KEY: pem(rsa.publicKey) }],
  ['SESSION_JWT_JWKS_URL', { ...FETCHED, SESSION_JWT_JWKS_URL: 'http://login.example/jwks' }],
  ['OAUTH_ISSUER', { ...OAUTH, OAUTH_ISSUER: undefined }],
  ['OAUTH_ISSUER', { ...OAUTH, OAUTH_ISSUER: 'http://login.example' }],
  ['OAUTH_ISSUER', { ...OAUTH, OAUTH_ISSUER: 'https://me:secret@login.example' }],
  ['OAUTH_ISSUER', { ...OAUTH, OAUTH_ISSUER: 'https://login.example?tenant=1' }],
  ['OAUTH_AUDIENCE', { ...OAUTH, OAUTH_AUDIENCE: undefined }],
  ['OAUTH_AUDIENCE', { ...OAUTH, OAUTH_AUDIENCE: 'deal-signals' }],
  ['OAUTH_AUDIENCE', { ...OAUTH, OAUTH_AUDIENCE: 'https://api.example' }],
  // Otherwise an assistant's token could be an admin's session.
  ['SESSION_JWT_AUDIENCE', { ...OAUTH, SESSION_JWT_AUDIENCE: OAUTH.OAUTH_AUDIENCE }],
  ['SESSION_JWT_AUDIENCE', { ...OAUTH, ...FETCHED }],
  [
    'SESSION_JWT_AUDIENCE',
    { ...OAUTH, SESSION_JWT_SECRET: undefined, SESSION_JWT_PUBLIC_KEY: pem(rsa.publicKey) },
  ],
  ['PORT', { PORT: 'http' }],
  ['HOST', { HOST: 'localhost' }],
  ['API_ADMIN_PORT', { API_ADMIN_PORT: '65536' }],
  ['WORKSPACE_CONCURRENCY', { WORKSPACE_CONCURRENCY: '0' }],
  ['SHUTDOWN_DELAY_MS', { SHUTDOWN_DELAY_MS: '10s' }],
  ['DATABASE_URL', { DATABASE_URL: undefined }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/deals' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://one,two/deals' }],
  ['DATABASE_REPLICA_URLS', { DATABASE_REPLICA_URLS: 'postgres://one/deals,two' }],
  ['DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '0' }],
  ['REDIS_URL', { REDIS_URL: 'localhost:6379' }],
  ['REDIS_SENTINEL_PASSWORD', { REDIS_SENTINEL_PASSWORD: 'of no use to one server' }],
  ['SESSION_JWT_SECRET', { SESSION_JWT_SECRET: 'x'.repeat(31) }],
  ['SESSION_JWT_SECRET', { SESSION_JWT_SECRET: undefined }],
  ['SESSION_JWT_SECRET', { SESSION_JWT_PUBLIC_KEY: pem(rsa.publicKey) }],
  ['SESSION_JWT_PUBLIC_KEY', { SESSION_JWT_SECRET: undefined, SESSION_JWT_PUBLIC_KEY: 'nonsense' }],
  ['SESSION_JWT_PUBLIC_KEY', { SESSION_JWT_SECRET: undefined, SESSION_JWT_PUBLIC_KEY: ecPem('P-384') }],
  [
    'SESSION_JWT_PUBLIC_KEY',
    {
      SESSION_JWT_SECRET: undefined,
      SESSION_JWT_PUBLIC_KEY: pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
    },
  ],
  [
    'SESSION_JWT_PUBLIC_KEY',
    {
      SESSION_JWT_SECRET: undefined,
      SESSION_JWT_PUBLIC_KEY: String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    },
  ],
  ['SESSION_JWT_SECRET_PREVIOUS', { SESSION_JWT_SECRET_PREVIOUS: 'y'.repeat(31) }],
  ...[
    [ecPem('P-256'), pem(rsa.publicKey)],
    [ecPem('P-256'), ecPem('P-256'), ecPem('P-256')],
    [pem(rsa.publicKey), String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }))],
  ].map((keys): [string, NodeJS.ProcessEnv] => [
    'SESSION_JWT_PUBLIC_KEY',
    { SESSION_JWT_SECRET: undefined, SESSION_JWT_PUBLIC_KEY: keys.join('') },
  ]),
  [
    'SESSION_JWT_SECRET_PREVIOUS',
    {
      SESSION_JWT_SECRET: undefined,
      SESSION_JWT_PUBLIC_KEY: ecPem('P-256'),
      SESSION_JWT_SECRET_PREVIOUS: 'y'.repeat(40),
    },
  ],
  ['SECRETS_KEY', { SECRETS_KEY: 'short' }],
  ['WEBHOOK_SOURCE_ADDRESSES', { WEBHOOK_SOURCE_ADDRESSES: '192.0.2.0/33' }],
  ['WEBHOOK_SOURCE_ADDRESSES', { WEBHOOK_SOURCE_ADDRESSES: 'egress.example.com' }],
  ['WEBHOOK_PLANNED_SOURCE_FROM', { WEBHOOK_PLANNED_SOURCE_ADDRESSES: '192.0.2.1' }],
  ['WEBHOOK_PLANNED_SOURCE_ADDRESSES', { WEBHOOK_PLANNED_SOURCE_FROM: '2027-02-01' }],
  [
    'WEBHOOK_PLANNED_SOURCE_FROM',
    { WEBHOOK_PLANNED_SOURCE_ADDRESSES: '192.0.2.1', WEBHOOK_PLANNED_SOURCE_FROM: 'soon' },
  ],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'all' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '101' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '0.0.0.0/0' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '::/0' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.20.1.0/24,1' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'ingress.example.com' }],
  ['CONSOLE_TRUSTED_ORIGINS', { CONSOLE_TRUSTED_ORIGINS: 'https://tool.example/' }],
  ['CONSOLE_TRUSTED_ORIGINS', { CONSOLE_TRUSTED_ORIGINS: 'tool.example' }],
  ['CONSOLE_TRUSTED_ORIGINS', { CONSOLE_TRUSTED_ORIGINS: 'https://app.example/console' }],
  ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: '0' }],
  ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: '-1' }],
  ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: 'many' }],
  ['WEBHOOK_ALLOWED_PRIVATE_HOSTS', { WEBHOOK_ALLOWED_PRIVATE_HOSTS: 'https://127.0.0.1' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
])('an invalid %s is reported by name, without its value', (name, change) => {
  let message = '';
  try {
    readConfig({ ...COMPLETE, ...change });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    message = (error as Error).message;
  }
  expect(message).toContain(`${name}: `);
  for (const value of Object.values(change)) {
    if (value !== undefined && value.length > 2) expect(message).not.toContain(value);
  }
});
