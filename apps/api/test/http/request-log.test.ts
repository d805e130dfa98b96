import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { type LogLine, openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  key = await addKey(api.db, 1);
});

beforeEach(() => {
  api.log.length = 0;
});

afterAll(() => api.close());

const requestLines = (): LogLine[] => api.log.filter(({ message }) => message === 'request');

async function onlyLine(): Promise<LogLine> {
  await until('the request to be logged', () => requestLines().length > 0);
  expect(requestLines()).toHaveLength(1);
  return requestLines()[0] as LogLine;
}

test('a request with an API key is logged with its key, route and error', async () => {
  await api.get('/calls/unknown', key).set('X-Request-Id', 'mine').expect(404);
  expect(await onlyLine()).toEqual({
    level: 'info',
    message: 'request',
    requestId: 'mine',
    serverRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    method: 'GET',
    route: '/calls/:id',
    statusCode: 404,
    durationMs: expect.any(Number),
    companyId: 1,
    keyId: expect.any(Number),
    keyPrefix: key.slice(0, 13),
    errorCode: 'NOT_FOUND',
  });
});

test('a request of an admin is logged with the user', async () => {
  await api.get('/webhooks', sessionToken()).expect(200);
  const line = await onlyLine();
  expect(line).toMatchObject({ route: '/webhooks', statusCode: 200, companyId: 1, userId: 7 });
  expect(line).not.toHaveProperty('errorCode');
});

test('a request to an unknown path is logged without a route', async () => {
  await supertest(api.app).get('/nothing').expect(404);
  const line = await onlyLine();
  expect(line).toMatchObject({ statusCode: 404, errorCode: 'NOT_FOUND' });
  expect(line).not.toHaveProperty('route');
});

test('no credential, parameter or body is logged', async () => {
  const token = sessionToken();
  await api.get(`/calls?cursor=${key}&secret=hidden`, key).expect(400);
  await api.get(`/calls/hidden-${key}`, key).expect(404);
  await api.get('/status', `${key}hidden`).expect(401);
  await api.get('/webhooks', `${token}hidden`).expect(401);
  const created = await api
    .post('/webhooks', token, { url: 'https://hidden.example.com', events: ['*'] })
    .expect(201);
  const createdKey = await api.post('/api-keys', token, { name: 'hidden' }).expect(201);
  await until('the requests to be logged', () => requestLines().length === 6);
  const text = JSON.stringify(api.log);
  for (const secret of [key, token, created.body.secret, createdKey.body.key, 'hidden']) {
    expect(text).not.toContain(secret);
  }
});
