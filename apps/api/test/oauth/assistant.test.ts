import { captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as OldUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import supertest from 'supertest';
import { showLimits } from '../http/limits/rate-limit-headers.ts';
import { openTestApi } from '../test-api.ts';
import { browse, newKey, signToken } from './issuer.ts';
import { type OAuthApi, openOAuthApi, toolCall } from './oauth-api.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';

let world: OAuthApi;

beforeAll(async () => {
  world = await openOAuthApi([await newKey('one')]);
  await captureWorkspace(world.api.db);
  world.issuer.claims = { companyId: COMPANY };
});

afterAll(() => world.close());

/** What a hosted assistant keeps of a user who connects it: it starts with nothing but the address. */
function newUser() {
  const kept: { client?: any; tokens?: any; verifier?: string; sentTo?: URL } = {};
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'An assistant',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.sentTo = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  };
  return { kept, provider };
}

describe('an assistant that knows nothing but the address', () => {
  test.each(['auto', 'legacy'] as const)('signs in and calls a tool, in the era %s', async (mode) => {
    const { kept, provider } = newUser();
    const options = { versionNegotiation: { mode } };
    const first = new StreamableHTTPClientTransport(new URL(world.url), { authProvider: provider });
    const connecting = new Client({ name: 'test', version: '1' }, options).connect(first);
    await expect(connecting).rejects.toThrow(UnauthorizedError);
    expect(kept.sentTo?.searchParams.get('scope')).toBe('read');
    expect(kept.sentTo?.searchParams.get('resource')).toBe(world.url);
    await first.finishAuth((await browse(kept.sentTo!, CALLBACK)).searchParams);
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL(world.url), { authProvider: provider }));
    const { structuredContent } = (await client.callTool({ name: 'find_rooms', arguments: {} })) as any;
    expect(structuredContent.data.length).toBeGreaterThan(0);
    await client.close();
  });

  test('signs in with the official client of the older revisions', async () => {
    const { kept, provider } = newUser();
    const first = new OldTransport(new URL(world.url), { authProvider: provider });
    const connecting = new OldClient({ name: 'test', version: '1' }).connect(first);
    await expect(connecting).rejects.toThrow(OldUnauthorizedError);
    const { searchParams } = await browse(kept.sentTo!, CALLBACK);
    await first.finishAuth(searchParams.get('code') ?? '');
    const client = new OldClient({ name: 'test', version: '1' });
    await client.connect(new OldTransport(new URL(world.url), { authProvider: provider }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
  });
});

describe('the metadata of the resource', () => {
  test('name the issuer and the scopes, at the address that the 401 names', async () => {
    const challenge = (await world.send()).headers.get('www-authenticate') ?? '';
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const response = await fetch(address);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
    expect(await response.json()).toEqual({
      resource: world.url,
      authorization_servers: [world.issuer.url],
      scopes_supported: ['read', 'read:calls', 'read:engagement', 'read:rooms', 'read:deliveries'],
      bearer_methods_supported: ['header'],
      resource_name: 'Deal Signals',
      resource_documentation: `${world.url.replace('/mcp', '')}/api/v1/docs/guides/agents-oauth`,
    });
  });

  test('behind a proxy, name what the assistant sees, whatever the request says', async () => {
    const audience = 'https://example.com/signals/mcp';
    const api = await openTestApi({ settings: { oauth: { issuer: 'https://login.example', audience } } });
    try {
      const challenge = await supertest(api.app).post('/mcp').set('X-Forwarded-Host', 'attacker.example');
      expect(challenge.headers['www-authenticate']).toContain(
        'resource_metadata="https://example.com/.well-known/oauth-protected-resource/signals/mcp"',
      );
      for (const path of ['/mcp', '/signals/mcp']) {
        const { body } = await supertest(api.app)
          .get(`/.well-known/oauth-protected-resource${path}`)
          .set('Host', 'attacker.example')
          .expect(200);
        expect([body.resource, body.resource_documentation]).toEqual([
          audience,
          'https://example.com/signals/api/v1/docs/guides/agents-oauth',
        ]);
      }
      await supertest(api.app).get('/.well-known/oauth-protected-resource').expect(404);
    } finally {
      await api.close();
    }
  });

  test('are absent, and tokens are rejected, if OAuth is off', async () => {
    const api = await openTestApi();
    try {
      await supertest(api.app).get('/.well-known/oauth-protected-resource/mcp').expect(404);
      const token = await world.issuer.grant();
      const { headers } = await supertest(api.app)
        .post('/mcp')
        .set('Authorization', `Bearer ${token}`)
        .expect(401);
      expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    } finally {
      await api.close();
    }
  });
});

test('the requests of an assistant are counted in its workspace, and those of all assistants together', async () => {
  const key = await newKey('one');
  const limited = await openOAuthApi([key], () => ({
    managementPerMinute: { user: 2, workspace: 3 },
  }));
  try {
    await addCompany(limited.api.db, 1);
    await addCompany(limited.api.db, 2);
    const ask = async (claims: object) => {
      const token = await signToken(key, {
        iss: limited.issuer.url,
        aud: limited.url,
        exp: Math.floor(Date.now() / 1_000) + 600,
        client_id: 'a',
        companyId: 1,
        ...claims,
      });
      const { status, headers } = await limited.send(token);
      const retryAfter = headers.get('retry-after');
      expect(retryAfter === null).toBe(status === 200);
      return `${status}: ${showLimits(Object.fromEntries(headers))}`;
    };
    const seen = [];
    for (const claims of [{}, {}, {}, { client_id: 'b' }, { client_id: 'b' }, { companyId: 2 }])
      seen.push(await ask(claims));
    expect(seen).toEqual([
      '200: client 1 of 2, workspace 2 of 3',
      '200: client 0 of 2, workspace 1 of 3',
      '429: client 0 of 2',
      '200: client 1 of 2, workspace 0 of 3',
      '429: client 0 of 2, workspace 0 of 3',
      // The same assistant elsewhere.
      '200: client 1 of 2, workspace 2 of 3',
    ]);
    // A key has its own limit, which no assistant uses up.
    const { status, headers } = await limited.send(await addKey(limited.api.db, 1));
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '99999']);
  } finally {
    await limited.close();
  }
});

test('the log says which assistant called, but not with what token', async () => {
  const token = await world.issuer.grant();
  await world.send(token, toolCall('find_rooms'));
  const line = world.api.log.findLast(({ route }) => route === '/mcp');
  expect(line).toMatchObject({ companyId: COMPANY, clientId: 'machine', tool: 'find_rooms' });
  expect(JSON.stringify(world.api.log)).not.toContain(token.split('.')[2]);
});
