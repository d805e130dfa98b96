import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import {
  openTestApi,
  SESSION_SECRET,
  sessionToken,
  type TestApi,
  verifiedBy,
  type PinnedSessions,
} from '../test-api.ts';

const nowSeconds = () => Math.floor(Date.now() / 1000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('with a shared secret', () => {
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    api = await openTestApi();
    await addCompany(api.db, 1);
    await addCompany(api.db, 2, { apiEnabled: false });
    key = await addKey(api.db, 1);
  });

  afterAll(() => api.close());

  test('accepts a valid token', async () => {
    await api.get('/webhooks', sessionToken()).expect(200);
    await api.get('/webhooks', sessionToken({ nbf: nowSeconds() - 1, more: 'claims' })).expect(200);
  });

  test.each<[string, () => string | undefined]>([
    ['no token', () => undefined],
    ['text that is not a JWT', () => 'nonsense'],
    ['an API key', () => key],
    ['an expired token', () => sessionToken({ exp: nowSeconds() - 1 })],
    ['a token without an expiry', () => sessionToken({ exp: undefined })],
    ['a token that is not valid yet', () => sessionToken({ nbf: nowSeconds() + 60 })],
    [
      'a token signed with another secret',
      () => sessionToken({}, 'another secret of at least 32 characters'),
    ],
    ['a token signed with another algorithm', () => sessionToken({}, SESSION_SECRET, 'HS512')],
    ['a token without a signature', () => `${sessionToken().split('.').slice(0, 2).join('.')}.`],
    [
      'a token with the algorithm none',
      () => `${base64url({ alg: 'none', typ: 'JWT' })}.${sessionToken().split('.')[1]}.`,
    ],
    [
      'a token that was changed after signing',
      () => {
        const [head, , signature] = sessionToken().split('.');
        const claims = { sub: '7', companyId: 2, permissions: ['integrations.crm'], exp: nowSeconds() + 600 };
        return `${head}.${base64url(claims)}.${signature}`;
      },
    ],
    ['a payload that is not an object', () => jwt.sign('text', SESSION_SECRET)],
    ['a token without a user', () => sessionToken({ sub: undefined })],
    ['a user that is not an integer', () => sessionToken({ sub: 'sam' })],
    ['a user beyond the range of ids', () => sessionToken({ sub: '2147483648' })],
    ['a token without a workspace', () => sessionToken({ companyId: undefined })],
    ['a text as the workspace', () => sessionToken({ companyId: '1' })],
    ['a workspace that is not an integer', () => sessionToken({ companyId: 1.5 })],
    ['a workspace beyond the range of ids', () => sessionToken({ companyId: 2_147_483_648 })],
    ['an unknown workspace', () => sessionToken({ companyId: 99 })],
    ['a token without permissions', () => sessionToken({ permissions: undefined })],
    ['a text as the permissions', () => sessionToken({ permissions: 'integrations.crm' })],
  ])('rejects %s as an invalid session', async (_name, token) => {
    const given = token();
    const response = await api.get('/audit-log', given);
    expect([response.status, response.body.code]).toEqual([401, 'SESSION_INVALID']);
    expect(response.headers['www-authenticate']).toBe(
      given === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
    );
  });

  test.each([[[]], [['integrations']], [['integrations.crm.read']]])(
    'rejects a session with the permissions %j',
    async (permissions) => {
      const response = await api.get('/webhooks', sessionToken({ permissions })).expect(403);
      expect(response.body.code).toBe('PERMISSION_DENIED');
    },
  );

  test('accepts a session with the permission among others', async () => {
    await api.get('/webhooks', sessionToken({ permissions: ['other', 'integrations.crm'] })).expect(200);
  });

  test('checks the credential first, then the permission, then the feature gate', async () => {
    const code = async (claims: object) =>
      (await api.get('/webhooks', sessionToken({ companyId: 2, ...claims }))).body.code;
    expect(await code({})).toBe('FEATURE_NOT_ENABLED');
    expect(await code({ permissions: [] })).toBe('PERMISSION_DENIED');
    expect(await code({ exp: nowSeconds() - 1 })).toBe('SESSION_INVALID');
  });
});

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: typeof RSA.publicKey) => key.export({ type: 'spki', format: 'pem' });

describe.each([
  { verification: verifiedBy('RS256', RSA.publicKey), own: RSA, other: EC, otherAlgorithm: 'ES256' },
  { verification: verifiedBy('ES256', EC.publicKey), own: EC, other: RSA, otherAlgorithm: 'RS256' },
] satisfies {
  verification: PinnedSessions;
  own: typeof RSA;
  other: typeof RSA;
  otherAlgorithm: jwt.Algorithm;
}[])('with a public key for $verification.algorithm', ({ verification, own, other, otherAlgorithm }) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await openTestApi({ settings: { sessions: verification } });
    await addCompany(api.db, 1);
  });

  afterAll(() => api.close());

  test('accepts a token signed with the private key', async () => {
    await api.get('/webhooks', sessionToken({}, own.privateKey, verification.algorithm)).expect(200);
  });

  const pem = pemOf(own.publicKey);
  /** A token signed with HS256, with the public key as the secret. */
  const confused = (secret: string | Buffer): string => {
    const content = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${sessionToken().split('.')[1]}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };

  test.each<[string, () => string]>([
    ['HS256 and the public key as the secret', () => confused(pem)],
    ['HS256 and the trimmed public key as the secret', () => confused(String(pem).trim())],
    [
      'HS256 and the public key in DER as the secret',
      () => confused(createPublicKey(pem).export({ type: 'spki', format: 'der' })),
    ],
    ['HS256 and another secret', () => sessionToken()],
    [`${otherAlgorithm} and another key`, () => sessionToken({}, other.privateKey, otherAlgorithm)],
    ['no algorithm', () => `${base64url({ alg: 'none', typ: 'JWT' })}.${sessionToken().split('.')[1]}.`],
  ])('rejects a token with %s', async (_name, token) => {
    const response = await api.get('/audit-log', token());
    expect([response.status, response.body.code]).toEqual([401, 'SESSION_INVALID']);
  });
});
