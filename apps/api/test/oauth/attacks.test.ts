import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportSPKI, importJWK, type JWTPayload } from 'jose';
import { type IssuerKey, newKey, signToken } from './issuer.ts';
import { type OAuthApi, openOAuthApi, toolCall } from './oauth-api.ts';

const SECONDS = 600;
const now = () => Math.floor(Date.now() / 1_000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

let world: OAuthApi;
let own: IssuerKey;
let elliptic: IssuerKey;
let stranger: IssuerKey;

beforeAll(async () => {
  [own, elliptic, stranger] = await Promise.all([newKey('one'), newKey('two', 'ES256'), newKey('one')]);
  // The issuer signs session tokens as well, for another audience.
  world = await openOAuthApi([own, elliptic], (issuer) => ({
    sessions: { jwksUrl: `${issuer}/jwks`, issuer, audience: 'console' },
  }));
  await addCompany(world.api.db, 1);
  await addCompany(world.api.db, 2, { apiEnabled: false });
});

afterAll(() => world.close());

const claims = (change: Record<string, unknown> = {}): JWTPayload => ({
  iss: world.issuer.url,
  aud: world.url,
  sub: 'ann',
  client_id: 'assistant',
  companyId: 1,
  scope: 'read',
  iat: now(),
  exp: now() + SECONDS,
  ...change,
});

/** Signs with HS256, with what everybody can read as the secret. */
async function signedWithPublicKey(form: 'pem' | 'jwk'): Promise<string> {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...published } = own.jwk;
  const secret =
    form === 'pem'
      ? await exportSPKI((await importJWK(published, 'RS256')) as never)
      : JSON.stringify(published);
  const content = `${base64url({ alg: 'HS256', kid: 'one', typ: 'JWT' })}.${base64url(claims())}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** Signs with a header that a library would not sign. */
function signedAnyhow(head: object): string {
  const content = `${base64url(head)}.${base64url(claims())}`;
  const key = createPrivateKey({ key: own.jwk as never, format: 'jwk' });
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

// Without these, a mistake in `claims` would make all the tokens below invalid.
test.each<[string, () => Promise<string>]>([
  ['that the issuer issued', () => world.issuer.grant()],
  ['signed by hand', () => signToken(own, claims())],
  ['signed by an elliptic key', () => signToken(elliptic, claims())],
  ['with a header made by hand', () => Promise.resolve(signedAnyhow({ alg: 'RS256', kid: 'one' }))],
  ['with the audience among others', () => signToken(own, claims({ aud: ['other', world.url] }))],
  ['of a client named by azp', () => signToken(own, claims({ client_id: undefined, azp: 'assistant' }))],
  ['of a day', () => signToken(own, claims({ exp: now() + 86_400 }))],
])('accepts a token %s', async (_what, token) => {
  expect((await world.send(await token())).status).toBe(200);
});

const ATTACKS: [string, () => string | Promise<string>][] = [
  ['for another audience', () => signToken(own, claims({ aud: 'https://other.example/mcp' }))],
  ['for an audience that begins like ours', () => signToken(own, claims({ aud: `${world.url}/x` }))],
  ['without an audience', () => signToken(own, claims({ aud: undefined }))],
  ['of another issuer', () => signToken(own, claims({ iss: 'https://other.example' }))],
  ['of an issuer that differs by a slash', () => signToken(own, claims({ iss: `${world.issuer.url}/` }))],
  ['without an issuer', () => signToken(own, claims({ iss: undefined }))],
  ['that has expired', () => signToken(own, claims({ exp: now() - 1 }))],
  ['without an expiry', () => signToken(own, claims({ exp: undefined }))],
  ['that is valid for more than a day', () => signToken(own, claims({ exp: now() + 90_000 }))],
  ['that is not valid yet', () => signToken(own, claims({ nbf: now() + 60 }))],
  ['with the algorithm none', () => `${base64url({ alg: 'none' })}.${base64url(claims())}.`],
  ['with the algorithm nOnE', () => `${base64url({ alg: 'nOnE' })}.${base64url(claims())}.`],
  ['signed by HS256 with the public key as PEM', () => signedWithPublicKey('pem')],
  ['signed by HS256 with the public key as JWK', () => signedWithPublicKey('jwk')],
  ['signed by a stranger under a known key id', () => signToken(stranger, claims())],
  ['that brings its key', () => signToken(stranger, claims(), { kid: 'mine', jwk: publicJwk(stranger) })],
  [
    'that says where its key is',
    () => signToken(stranger, claims(), { kid: 'mine', jku: 'https://attacker.example/jwks' }),
  ],
  ['without a key id', () => signToken(stranger, claims(), { kid: undefined })],
  ['with the algorithm of another key', () => signToken(elliptic, claims(), { kid: 'one' })],
  [
    'that was changed after signing',
    async () => {
      const [head, , signature] = (await signToken(own, claims())).split('.');
      return `${head}.${base64url(claims({ companyId: 3 }))}.${signature}`;
    },
  ],
  ['with a critical extension', () => signedAnyhow({ alg: 'RS256', kid: 'one', crit: ['exp2'], exp2: 1 })],
  ['with an algorithm that is a list', () => signedAnyhow({ alg: ['RS256', 'none'], kid: 'one' })],
  ['without a workspace', () => signToken(own, claims({ companyId: undefined }))],
  ['of a workspace that is a text', () => signToken(own, claims({ companyId: '1' }))],
  ['of several workspaces', () => signToken(own, claims({ companyId: [1] }))],
  ['of an unknown workspace', () => signToken(own, claims({ companyId: 99 }))],
  ['without a client or user', () => signToken(own, claims({ client_id: undefined, sub: undefined }))],
  ['whose scope is a list', () => signToken(own, claims({ scope: ['read'] }))],
  ['bound to a key of its client', () => signToken(own, claims({ cnf: { jkt: 'x' } }))],
  ['with a number beyond the safe range', () => signToken(own, claims({ more: 1e300 }))],
  ['that is a session of an admin', () => signToken(own, session())],
  ['that is opaque', () => 'Zx0pQ'],
];

const publicJwk = ({ jwk: { kty, n, e } }: IssuerKey) => ({ kty, n, e });
const session = () => claims({ aud: 'console', sub: '7', permissions: ['integrations.crm'] });

test.each(ATTACKS)('rejects a token %s', async (_what, token) => {
  const { status, headers, body } = await world.send(await token());
  expect([status, body.error.data]).toEqual([401, { code: 'API_KEY_INVALID' }]);
  expect(headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${metadataUrl()}", scope="read"`,
  );
});

const metadataUrl = () => world.url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp');

test('a request without a token learns where to get one', async () => {
  const { status, headers } = await world.send();
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer resource_metadata="${metadataUrl()}", scope="read"`,
  ]);
});

test('a workspace that is switched off gets 403', async () => {
  const { status, body, headers } = await world.send(await signToken(own, claims({ companyId: 2 })));
  expect([status, body.error.data]).toEqual([403, { code: 'FEATURE_NOT_ENABLED' }]);
  expect(headers.get('www-authenticate')).toBeNull();
});

describe('elsewhere than at /mcp', () => {
  test.each(['/status', '/calls', '/webhook-deliveries'])(
    'an access token reads no data: %s',
    async (path) => {
      const response = await world.api.get(path, await world.issuer.grant());
      expect([response.status, response.body.code]).toEqual([401, 'API_KEY_INVALID']);
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    },
  );

  test('the token of an assistant is no session, even with the claims of one', async () => {
    const admin = { sub: '7', permissions: ['integrations.crm'] };
    await world.api.get('/webhooks', await signToken(own, session())).expect(200);
    const response = await world.api.get('/webhooks', await signToken(own, claims(admin)));
    expect([response.status, response.body.code]).toEqual([401, 'SESSION_INVALID']);
  });
});

describe('scopes', () => {
  const scopeError = async (scope: string, tool: string) => {
    const { status, headers, body } = await world.send(
      await signToken(own, claims({ scope })),
      toolCall(tool),
    );
    return [status, headers.get('www-authenticate'), body.error?.data.code];
  };

  test.each([
    ['read', 'find_rooms'],
    ['read:rooms', 'find_rooms'],
    ['openid other read:rooms future:scope', 'find_rooms'],
    ['read:calls', 'list_calls'],
  ])('%s allows %s', async (scope, tool) => {
    expect(await scopeError(scope, tool)).toEqual([200, null, undefined]);
  });

  test.each([
    ['', 'find_rooms', 'read:rooms'],
    ['read:calls', 'find_rooms', 'read:calls read:rooms'],
    ['read:engagement', 'what_happened', 'read:engagement read:rooms'],
    ['read:deliveries', 'list_changes', 'read:deliveries read:rooms read:calls read:engagement'],
    ['webhooks Read READ:ROOMS read,read:rooms', 'find_rooms', 'read:rooms'],
  ])('"%s" does not allow %s', async (scope, tool, needed) => {
    const given = tool === 'what_happened' ? { room_id: '7b1ad5a4-8a0f-4a4e-9a43-6d5f0c2f7f10' } : {};
    const token = await signToken(own, claims({ scope }));
    const { status, headers, body } = await world.send(token, toolCall(tool, given));
    expect([status, body.error.data.code]).toEqual([403, 'PERMISSION_DENIED']);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${metadataUrl()}"`,
    );
  });
});

test('API keys go on, and the model of one learns of a missing scope', async () => {
  const key = await addKey(world.api.db, 1, { scopes: ['read:calls'] });
  const { status, body } = await world.send(key, toolCall('find_rooms'));
  expect([status, body.result.isError]).toEqual([200, true]);
  const wrong = await world.send(`dsk_live_${'x'.repeat(43)}`);
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer error="invalid_token", resource_metadata="${metadataUrl()}", scope="read"`,
  ]);
});
