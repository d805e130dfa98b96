import { rebuildTexts } from '@deal-signals/capture/texts/rebuild-texts';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCall, addCompany, addKey, addLink, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  key = await addKey(api.db, 1);
  await addRoom(api.db, 1, 1);
  for (let n = 1; n <= 20; n++) await addCall(api.db, 1, n);
  await addLink(api.db, 1, 1, { roomId: uuid(1) });
});

afterAll(() => api.close());

describe.each([
  `/calls/${uuid(1)}`,
  `/decision-rooms/${uuid(1)}`,
  `/decision-rooms/${uuid(1)}/metrics`,
  `/distributions/${uuid(1)}/heatmap`,
])('%s', (path) => {
  test.each([
    ['its ETag', (etag: string) => etag],
    ['its ETag among others', (etag: string) => `"other", ${etag}`],
    ['any ETag', () => '*'],
  ])('is not sent again to a client that has %s', async (_name, sent) => {
    const first = await api.get(path, key).expect(200);
    const etag = first.headers['etag'] as string;
    expect(etag).toMatch(/^W\/"/);
    const { status, text, headers } = await api.get(path, key).set('If-None-Match', sent(etag));
    expect([status, text]).toEqual([304, '']);
    expect(headers['etag']).toBe(etag);
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-window', 'x-ratelimit-remaining', 'x-request-id']) {
      expect([name, headers[name]]).not.toEqual([name, undefined]);
    }
  });

  test('is sent again to a client that has another version', async () => {
    await api.get(path, key).set('If-None-Match', '"other"').expect(200);
  });

  test('is rejected for a client that may not read it, even with the current ETag', async () => {
    const etag = (await api.get(path, key)).headers['etag'] as string;
    await api.get(path).set('If-None-Match', etag).expect(401);
    await api
      .get(path.replace(uuid(1), uuid(99)), key)
      .set('If-None-Match', '*')
      .expect(404);
  });
});

test('sends a changed call again', async () => {
  const path = `/calls/${uuid(2)}`;
  const etag = (await api.get(path, key)).headers['etag'] as string;
  await api.db.call.update({
    where: { companyId_id: { companyId: 1, id: uuid(2) } },
    data: { title: 'New' },
  });
  await rebuildTexts(api.db, () => {});
  const { body } = await api.get(path, key).set('If-None-Match', etag).expect(200);
  expect(body.data.title).toBe('New');
});

/** Returns the response as it was sent, without decompression. */
async function rawGet(path: string, token: string, encoding: string) {
  const response = await supertest(api.app)
    .get(`/api/v1${path}`)
    .set('Authorization', `Bearer ${token}`)
    .set('Accept-Encoding', encoding)
    .buffer(true)
    .parse((message, done) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => done(null, Buffer.concat(chunks)));
    });
  return { headers: response.headers, size: Number(response.headers['content-length'] ?? 0) };
}

test('compresses a large page only for clients that accept it', async () => {
  const plain = await rawGet('/calls', key, 'identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.size).toBeGreaterThan(4096);
  expect(plain.headers['vary']).toContain('Accept-Encoding');
  const gzip = await rawGet('/calls', key, 'gzip');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  const [unpacked, direct] = [
    await api.get('/calls', key).set('Accept-Encoding', 'gzip'),
    await api.get('/calls', key),
  ];
  expect(unpacked.body).toEqual(direct.body);
  expect(gzip.headers['etag']).toBe(plain.headers['etag']);
});

test('never compresses small responses and management responses', async () => {
  expect((await rawGet(`/calls/${uuid(1)}`, key, 'gzip')).headers['content-encoding']).toBeUndefined();
  for (let n = 0; n < 20; n++) {
    await addEndpoint(api.db, { url: `https://example.com/${'x'.repeat(200)}` });
  }
  const webhooks = await rawGet('/webhooks', sessionToken(), 'gzip');
  expect(webhooks.headers['content-encoding']).toBeUndefined();
  expect(webhooks.size).toBeGreaterThan(4096);
});
