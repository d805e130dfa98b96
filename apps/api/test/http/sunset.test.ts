import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { errorHandler } from '../../src/http/errors.ts';
import { createRateLimit } from '../../src/http/limits/rate-limit.ts';
import { RequestGuard } from '../../src/http/request-guard.ts';
import type { Route } from '../../src/http/route.ts';
import { createRouter } from '../../src/http/router.ts';
import { getStatus } from '../../src/routes/status.ts';
import { openTestApi, type TestApi } from '../test-api.ts';

const ENDING: Route = {
  method: 'GET',
  path: '/old-status',
  access: 'key',
  scope: null,
  sunset: {
    deprecatedAt: new Date('2027-01-01T00:00:00.000Z'),
    sunsetAt: new Date('2027-12-31T23:59:59.000Z'),
    link: 'https://docs.example/status-in-v2',
  },
  ...getStatus,
};

const PATIENCE_MS = 10_000;

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
});

afterAll(() => api.close());

test('a route with a sunset announces it in every response, and no other route does', async () => {
  const app = express();
  const table: Route[] = [
    ENDING,
    { method: 'GET', path: '/status', access: 'key', scope: null, ...getStatus },
  ];
  const perKey = createRateLimit(api.redis, 'test:sunset', 300, PATIENCE_MS);
  const management = { perUser: perKey, perWorkspace: perKey };
  const rateLimits = { perKey, management, console: management, pings: perKey };
  app.use(createRouter(table, new RequestGuard({ ...api.deps, rateLimits })), errorHandler);
  const key = await addKey(api.db, 1, { lastUsedAt: new Date() });
  for (const [token, status] of [
    [key, 200],
    ['nobody', 401],
  ] as const) {
    const { headers } = await supertest(app)
      .get('/old-status')
      .set('Authorization', `Bearer ${token}`)
      .expect(status);
    expect(headers).toMatchObject({
      deprecation: '@1798761600',
      sunset: 'Fri, 31 Dec 2027 23:59:59 GMT',
      link: '<https://docs.example/status-in-v2>; rel="deprecation", <https://docs.example/status-in-v2>; rel="sunset"',
    });
  }
  const { headers } = await supertest(app).get('/status').set('Authorization', `Bearer ${key}`).expect(200);
  for (const name of ['deprecation', 'sunset', 'link']) expect(headers[name]).toBeUndefined();
});
