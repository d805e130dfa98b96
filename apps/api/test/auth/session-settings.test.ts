import { createSecretKey } from 'node:crypto';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import type { SessionVerification } from '../../src/auth/session.ts';
import { createMetrics } from '../../src/metrics.ts';
import { openTestApi, SESSION_SECRET, sessionToken, type TestApi, verifiedBy } from '../test-api.ts';

const PREVIOUS = 'the previous secret of the tests, long enough';
const nowSeconds = () => Math.floor(Date.now() / 1000);
const secret = (text: string) => createSecretKey(Buffer.from(text));

let api: TestApi;

beforeEach(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
});

afterEach(() => api.close());

/** The status with which an API of these session settings responds to a token. */
async function statusWith(settings: Partial<SessionVerification>, token: string): Promise<number> {
  const sessions = { ...verifiedBy('HS256', secret(SESSION_SECRET)), ...settings };
  const app = createApp({ ...api.deps, metrics: createMetrics(), settings: { ...api.settings, sessions } });
  const response = await supertest(app).get('/api/v1/webhooks').set('Authorization', `Bearer ${token}`);
  return response.status;
}

test.each<[string, Partial<SessionVerification>, Record<string, unknown>, number]>([
  ['the issuer', { issuer: 'login' }, { iss: 'login' }, 200],
  ['another issuer', { issuer: 'login' }, { iss: 'login2' }, 401],
  ['no issuer', { issuer: 'login' }, {}, 401],
  ['a list of issuers', { issuer: 'login' }, { iss: ['login'] }, 401],
  ['the audience', { audience: 'signals' }, { aud: 'signals' }, 200],
  ['the audience among others', { audience: 'signals' }, { aud: ['other', 'signals'] }, 200],
  ['another audience', { audience: 'signals' }, { aud: 'signals.other' }, 401],
  ['no audience', { audience: 'signals' }, {}, 401],
  ['a user that is captured', { knownUsersOnly: true }, { sub: '1' }, 200],
  ['a user that is not captured', { knownUsersOnly: true }, { sub: '7' }, 401],
  ['a user that only another workspace has', { knownUsersOnly: true }, { sub: '2' }, 401],
  ['an end within the longest age', { maxAgeSeconds: 60 }, { exp: nowSeconds() + 50 }, 200],
  ['an end after the longest age', { maxAgeSeconds: 60 }, { exp: nowSeconds() + 90 }, 401],
])('a token with %s', async (_name, settings, claims, status) => {
  await addCompany(api.db, 2);
  expect(await statusWith(settings, sessionToken(claims))).toBe(status);
});

test('during a rotation, tokens of both keys are valid, and afterwards only those of the new one', async () => {
  const both = { keys: [secret(SESSION_SECRET), secret(PREVIOUS)] };
  expect(await statusWith(both, sessionToken())).toBe(200);
  expect(await statusWith(both, sessionToken({}, PREVIOUS))).toBe(200);
  expect(await statusWith(both, sessionToken({}, 'another secret of at least 32 characters'))).toBe(401);
  expect(await statusWith(both, sessionToken({}, PREVIOUS, 'HS512'))).toBe(401);
  expect(await statusWith({}, sessionToken({}, PREVIOUS))).toBe(401);
});
