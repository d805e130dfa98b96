import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import type { SessionVerification } from '../../src/auth/session.ts';
import { openTestApi, SESSION_SECRET, sessionToken, type TestApi, verifiedBy } from '../test-api.ts';

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

  test('a good token is let in', async () => {
    await api.get('/webhooks', sessionToken()).expect(200);
    await api.get('/webhooks', sessionToken({ nbf: nowSeconds() - 1, more: 'claims' })).expect(200);
  });

  test.each<[string, () => string | undefined]>([
    ['no token', () => undefined],
    ['no JWT', () => 'nonsense'],
    ['an API key', () => key],
    ['an expired token', () => sessionToken({ exp: nowSeconds() - 1 })],
    ['a token without an end', () => sessionToken({ exp: undefined })],
    ['a token that is not valid yet', () => sessionToken({ nbf: nowSeconds() + 60 })],
    ['another secret', () => sessionToken({}, 'another secret of at least 32 characters')],
    ['another algorithm of the same secret', () => sessionToken({}, SESSION_SECRET, 'HS512')],
    ['no signature', () => `${sessionToken().split('.').slice(0, 2).join('.')}.`],
    [
      'the algorithm none',
      () => `${base64url({ alg: 'none', typ: 'JWT' })}.${sessionToken().split('.')[1]}.`,
    ],
    [
      'claims that were changed after signing',
      () => {
        const [head, , signature] = sessionToken().split('.');
        const claims = { sub: '7', companyId: 2, permissions: ['integrations.crm'], exp: nowSeconds() + 600 };
        return `${head}.${base64url(claims)}.${signature}`;
      },
    ],
    ['a payload that is no object', () => jwt.sign('text', SESSION_SECRET)],
    ['no user', () => sessionToken({ sub: undefined })],
    ['a user that is no integer', () => sessionToken({ sub: 'sam' })],
    ['a user beyond every id', () => sessionToken({ sub: '2147483648' })],
    ['no company', () => sessionToken({ companyId: undefined })],
    ['a company as text', () => sessionToken({ companyId: '1' })],
    ['a company that is no integer', () => sessionToken({ companyId: 1.5 })],
    ['a company beyond every id', () => sessionToken({ companyId: 2_147_483_648 })],
    ['an unknown company', () => sessionToken({ companyId: 99 })],
    ['no permissions', () => sessionToken({ permissions: undefined })],
    ['permissions as text', () => sessionToken({ permissions: 'integrations.crm' })],
  ])('%s is an invalid session', async (_name, token) => {
    const response = await api.get('/webhooks', token());
    expect([response.status, response.body.code]).toEqual([401, 'SESSION_INVALID']);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  test('a session needs the permission', async () => {
    for (const permissions of [[], ['integrations'], ['integrations.crm.read']]) {
      const response = await api.get('/webhooks', sessionToken({ permissions })).expect(403);
      expect(response.body.code).toBe('PERMISSION_DENIED');
    }
    await api.get('/webhooks', sessionToken({ permissions: ['other', 'integrations.crm'] })).expect(200);
  });

  test('the feature gate stands behind the credential and the permission', async () => {
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
  verification: SessionVerification;
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

  test('a token of the private key is let in', async () => {
    await api.get('/webhooks', sessionToken({}, own.privateKey, verification.algorithm)).expect(200);
  });

  test('a token that chooses another algorithm is not', async () => {
    const pem = pemOf(own.publicKey);
    const head = base64url({ alg: 'HS256', typ: 'JWT' });
    const payload = sessionToken().split('.')[1];
    const confused = [
      pem,
      String(pem).trim(),
      createPublicKey(pem).export({ type: 'spki', format: 'der' }),
    ].map((secret) => {
      const signature = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url');
      return `${head}.${payload}.${signature}`;
    });
    for (const token of [
      ...confused,
      sessionToken(),
      sessionToken({}, other.privateKey, otherAlgorithm),
      `${base64url({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    ]) {
      const response = await api.get('/webhooks', token);
      expect([response.status, response.body.code]).toEqual([401, 'SESSION_INVALID']);
    }
  });
});
