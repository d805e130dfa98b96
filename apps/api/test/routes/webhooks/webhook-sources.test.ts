import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { openTestApi, type TestApi } from '../../test-api.ts';

const PATH = '/api/v1/webhook-sources';
const SOURCES = {
  addresses: ['192.0.2.16/28'],
  plannedAddresses: ['192.0.2.16/28', '2001:db8:17::/64'],
  plannedFrom: '2027-02-01',
};

describe('the addresses that webhooks come from', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi({ settings: { webhookSources: SOURCES } });
  });
  afterAll(() => api.close());

  test('are served without a key, and may be cached', async () => {
    const { body, headers } = await supertest(api.app).get(PATH).expect(200);
    expect(body).toEqual(SOURCES);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(headers['x-ratelimit-limit']).toBeDefined();
    await supertest(api.app).get(PATH).set('If-None-Match', headers['etag']!).expect(304);
    await supertest(api.app).head(PATH).expect(200);
  });

  test('cannot be changed', async () => {
    const { body, headers } = await supertest(api.app).post(PATH).expect(405);
    expect([body.code, headers['allow']]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD']);
  });

  test('are described as an operation without a credential', async () => {
    const { body } = await supertest(api.app).get('/api/v1/openapi.json').expect(200);
    expect(body.paths['/webhook-sources'].get).toMatchObject({
      operationId: 'getWebhookSources',
      security: [],
    });
  });
});

test('they are null if the operator does not publish them', async () => {
  const api = await openTestApi();
  const { body } = await supertest(api.app).get(PATH).expect(200);
  expect(body).toEqual({ addresses: null, plannedAddresses: null, plannedFrom: null });
  await api.close();
});
