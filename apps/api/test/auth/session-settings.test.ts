import { createSecretKey } from 'node:crypto';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { createMetrics } from '../../src/metrics.ts';
import {
  openTestApi,
  type PinnedSessions,
  SESSION_SECRET,
  sessionToken,
  type TestApi,
  verifiedBy,
} from '../test-api.ts';

const PREVIOUS = 'the previous secret of the tests, long enough';
const nowSeconds = () => Math.floor(Date.now() / 1000);
const secret = (text: string) => createSecretKey(Buffer.from(text));

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
});

afterAll(() => api.close());

/** Returns the status with which an API with these session settings responds to a token. */
async function statusWith(settings: Partial<PinnedSessions>, token: string): Promise<number> {
  const sessions = { ...verifiedBy('HS256', secret(SESSION_SECRET)), ...settings };
  const app = createApp({ ...api.deps, metrics: createMetrics(), settings: { ...api.settings, sessions } });
  const response = await supertest(app).get('/api/v1/webhooks').set('Authorization', `Bearer ${token}`);
  return response.status;
}

test.each<[string, number, Partial<PinnedSessions>, Record<string, unknown>]>([
  ['the issuer', 200, { issuer: 'login' }, { iss: 'login' }],
  ['another issuer', 401, { issuer: 'login' }, { iss: 'login2' }],
  ['no issuer', 401, { issuer: 'login' }, {}],
  ['a list of issuers', 401, { issuer: 'login' }, { iss: ['login'] }],
  ['the audience', 200, { audience: 'signals' }, { aud: 'signals' }],
  ['the audience among others', 200, { audience: 'signals' }, { aud: ['other', 'signals'] }],
  ['another audience', 401, { audience: 'signals' }, { aud: 'signals.other' }],
  ['no audience', 401, { audience: 'signals' }, {}],
  ['an expiry within a day', 200, {}, { exp: nowSeconds() + 86_300 }],
  ['an expiry after more than a day', 401, {}, { exp: nowSeconds() + 87_000 }],
])('a token with %s gets %d', async (_name, status, settings, claims) => {
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
