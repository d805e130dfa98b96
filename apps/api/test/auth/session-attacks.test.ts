import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApi, SESSION_SECRET, sessionToken, type TestApi } from '../test-api.ts';

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const nowSeconds = () => Math.floor(Date.now() / 1000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = () => ({ sub: '7', companyId: 1, permissions: ['integrations.crm'], exp: nowSeconds() + 600 });

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
});

afterAll(() => api.close());

/** Returns a token with any header and payload, signed with HS256. */
function forge(head: object, payload: unknown, secret = SESSION_SECRET): string {
  return forgeText(head, JSON.stringify(payload), secret);
}

function forgeText(head: object, payload: string, secret = SESSION_SECRET): string {
  const content = `${base64url(head)}.${Buffer.from(payload).toString('base64url')}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** Returns a token signed with the attacker's key, whose header contains the location of that key. */
function signedByAttacker(head: object): string {
  const content = `${base64url({ alg: 'RS256', ...head })}.${base64url(claims())}`;
  return `${content}.${sign('sha256', Buffer.from(content), RSA.privateKey).toString('base64url')}`;
}

const HS256 = { alg: 'HS256', typ: 'JWT' };

// Without this, a mistake in `forge` would make all the tokens below invalid.
test('accepts a valid token made by hand', async () => {
  await api.get('/webhooks', forge(HS256, claims())).expect(200);
});

test.each<[string, () => string]>([
  ['its own key in the header', () => signedByAttacker({ jwk: RSA.publicKey.export({ format: 'jwk' }) })],
  ['the address of a key', () => signedByAttacker({ jku: 'https://example.com/keys', kid: '1' })],
  ['the address of a certificate', () => signedByAttacker({ x5u: 'https://example.com/certificate' })],
  ['a key id that is a file', () => forge({ ...HS256, kid: '/dev/null' }, claims(), '\0')],
  ['a key id that is SQL', () => forge({ ...HS256, kid: "' UNION SELECT 'x" }, claims(), 'x')],
  ['the algorithm in another case', () => forge({ ...HS256, alg: 'hs256' }, claims())],
  ['the algorithm none in another case', () => `${base64url({ alg: 'nOnE' })}.${base64url(claims())}.`],
  ['an algorithm that is a list', () => forge({ alg: ['HS256', 'none'] }, claims())],
  ['no algorithm', () => forge({ typ: 'JWT' }, claims())],
  ['a payload of null', () => forge(HS256, null)],
  ['a payload that is a list', () => forge(HS256, [claims()])],
  ['a text as its expiry', () => forge(HS256, { ...claims(), exp: '9999999999' })],
  ['null as its expiry', () => forge(HS256, { ...claims(), exp: null })],
  ['a text as its start', () => forge(HS256, { ...claims(), nbf: 'later' })],
  ['a number as its user', () => forge(HS256, { ...claims(), sub: 7 })],
  ['a negative user', () => forge(HS256, { ...claims(), sub: '-7' })],
  ['a list of workspaces', () => forge(HS256, { ...claims(), companyId: [1, 2] })],
  ['an object as its workspace', () => forge(HS256, { ...claims(), companyId: { not: 1 } })],
  ['workspace 0', () => forge(HS256, { ...claims(), companyId: 0 })],
  [
    'an object as its permissions',
    () => forge(HS256, { ...claims(), permissions: { 'integrations.crm': true } }),
  ],
  ['an nbf outside the range of a date', () => forge(HS256, { ...claims(), nbf: -1e300 })],
  ['an iat outside the range of a date', () => forge(HS256, { ...claims(), iat: 1e300 })],
  ['a nested number outside the safe range', () => forge(HS256, { ...claims(), more: { levels: [1e300] } })],
  ['an infinite number', () => forgeText(HS256, JSON.stringify(claims()).replace('{', '{"level":1e400,'))],
  ['an exp beyond the maximum age', () => forge(HS256, { ...claims(), exp: nowSeconds() + 86_400 + 600 })],
  ['a critical extension', () => forge({ ...HS256, crit: ['exp2'], exp2: 1 }, claims())],
  ['an empty list of critical extensions', () => forge({ ...HS256, crit: [] }, claims())],
  [
    'permissions that are not texts',
    () => forge(HS256, { ...claims(), permissions: [['integrations.crm']] }),
  ],
  ['a truncated signature', () => sessionToken().slice(0, -3)],
  [
    'the signature of another token',
    () => {
      const [head, payload] = forge(HS256, { ...claims(), companyId: 2 }).split('.');
      return `${head}.${payload}.${sessionToken().split('.')[2]}`;
    },
  ],
  ['four parts', () => `${sessionToken()}.x`],
])('rejects a session token with %s', async (_name, token) => {
  const response = await api.get('/webhooks', token());
  expect([response.status, response.body.code]).toEqual([401, 'SESSION_INVALID']);
});

test('an admin of another workspace reads and changes only that workspace', async () => {
  const created = await api
    .post('/webhooks', sessionToken({ companyId: 2 }), { url: 'https://example.com', events: ['*'] })
    .expect(201);
  expect((await api.get('/webhooks', sessionToken()).expect(200)).body.data).toEqual([]);
  const changed = await api.patch(`/webhooks/${created.body.data.id}`, sessionToken(), { enabled: false });
  expect([changed.status, changed.body.code]).toEqual([404, 'NOT_FOUND']);
});
