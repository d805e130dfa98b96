import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { generateApiKey } from '../../../src/auth/generate-api-key.ts';
import { ConcurrencyLimiter } from '../../../src/http/limits/concurrency-limiter.ts';
import { openTestApi, type TestApi } from '../../test-api.ts';

// Rejected requests are delayed together for each caller. A caller who is not verified must not get a queue for each credential
// that it invents.

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  key = await addKey(api.db, 1, { scopes: ['read:calls'] });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await api.close();
});

test.each<[string, number, boolean, () => request.Test]>([
  ['an unknown key', 401, false, () => api.get('/status', generateApiKey().key)],
  ['a text that is no token', 401, false, () => api.get('/webhooks', 'invented')],
  [
    'an unknown key from a page of another site',
    403,
    false,
    () =>
      request(api.app)
        .post('/mcp')
        .set({ Origin: 'https://evil.example', Authorization: `Bearer ${generateApiKey().key}` })
        .send({}),
  ],
  ['a key without the scope', 403, true, () => api.get('/people', key)],
])(
  '%s gets %d, and has a queue of its own only if it is verified: %s',
  async (_what, status, isVerified, send) => {
    const delay = jest.spyOn(ConcurrencyLimiter.prototype, 'delayRefusal');
    await send().expect(status);
    expect(delay.mock.calls.map(([, digest]) => digest !== null)).toEqual([isVerified]);
    delay.mockRestore();
  },
);
