import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { startApp } from '@deal-signals/test-kit/processes';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Issuer, newKey, signToken } from './issuer.ts';

// The address of the API as assistants see it, which is not the one at which the process listens.
const AUDIENCE = 'https://api.example.com/mcp';

let database: TestDatabase;
let issuer: Issuer;

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db, 1);
});

afterAll(async () => {
  await issuer.stop();
  await database.drop();
});

test('a process with these settings, and two kinds of tokens of one issuer', async () => {
  const key = await newKey('one', 'ES256');
  issuer = await Issuer.start(AUDIENCE, key);
  const { url, baseUrl } = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: AUDIENCE,
    SESSION_JWT_SECRET: undefined,
    SESSION_JWT_JWKS_URL: `${issuer.url}/jwks`,
    SESSION_JWT_ISSUER: issuer.url,
    SESSION_JWT_AUDIENCE: 'https://console.example.com',
  });
  const session = await signToken(key, {
    iss: issuer.url,
    aud: 'https://console.example.com',
    sub: '7',
    companyId: 1,
    permissions: ['integrations.crm'],
    exp: Math.floor(Date.now() / 1_000) + 600,
  });
  const statusOf = async (to: string, token: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    return (await fetch(to, { ...init, headers })).status;
  };
  const list = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };
  const granted = await issuer.grant();
  expect({
    tools: [await statusOf(`${url}/mcp`, granted, list), await statusOf(`${url}/mcp`, session, list)],
    management: [
      await statusOf(`${baseUrl}/webhooks`, granted),
      await statusOf(`${baseUrl}/webhooks`, session),
    ],
    data: [await statusOf(`${baseUrl}/calls`, granted), await statusOf(`${baseUrl}/calls`, session)],
  }).toEqual({ tools: [200, 401], management: [401, 200], data: [401, 401] });
  const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
  expect(await metadata.json()).toMatchObject({ resource: AUDIENCE, authorization_servers: [issuer.url] });
});
