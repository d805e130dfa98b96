import { buildGuides } from '@deal-signals/local-stack/processes/build-sites';
import { beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import helmet from 'helmet';
import supertest from 'supertest';
import { ROUTES } from '../../src/app.ts';
import { leadToDocs } from '../../src/docs/router.ts';
import { compressLargeResponses } from '../../src/http/responses/compression.ts';
import { errorHandler, notFound } from '../../src/http/errors.ts';
import { createDescriptionRouter } from '../../src/openapi/router.ts';

/** Like `createApp`, without the parts that need a database. */
const app = express();
app.use(helmet());
app.use(compressLargeResponses());
app.use('/api/v1', createDescriptionRouter(ROUTES));
app.all('/', leadToDocs);
app.use(() => {
  throw notFound();
});
app.use(errorHandler);

beforeAll(() => buildGuides());

const get = (path: string) => supertest(app).get(`/api/v1${path}`);

test('every page may run scripts only from this server, and only Scalar may set styles', async () => {
  const policyOf = async (path: string) =>
    (await get(path).expect(200).expect('content-type', 'text/html; charset=utf-8')).headers[
      'content-security-policy'
    ];
  const closed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ";
  expect(await policyOf('/docs')).toBe(
    `${closed}script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'`,
  );
  expect(await policyOf('/docs/events')).toBe(
    `${closed}script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'`,
  );
});

test('the front page is the same with a slash, and every other page has exactly one address', async () => {
  const [page, withSlash] = [await get('/docs').expect(200), await get('/docs/').expect(200)];
  expect(withSlash.text).toBe(page.text);
  for (const path of [
    '/docs//',
    '/docs/guides/',
    '/docs/Guides',
    '/docs/guides/first-sync.html',
    '/docs/index',
    '/docs/404',
    '/docs/guides/performance',
    '/docs/guides/operations',
    '/docs/guides/reference/alerts',
    '/docs/guides/reference/settings',
    '/docs/assets/',
    '/docs/files/../../package.json',
    '/docs/files/..%2f..%2f..%2fpackage.json',
  ]) {
    expect((await get(path).expect(404)).body).toEqual({ error: 'not found', code: 'NOT_FOUND' });
  }
});

test('pages are revalidated with their ETag, and assets are cached', async () => {
  const page = await get('/docs/changelog').expect(200).expect('cache-control', 'no-cache');
  await get('/docs/changelog')
    .set('If-None-Match', page.headers['etag'] ?? '')
    .expect(304);
  const [, stylesheet = ''] = /href="\/api\/v1([^"]*\.css)"/.exec(page.text) ?? [];
  await get(stylesheet).expect(200).expect('cache-control', 'public, max-age=31536000, immutable');
});

test('a revalidated page keeps its policy', async () => {
  const page = await get('/docs/guides').expect(200);
  const again = await get('/docs/guides')
    .set('If-None-Match', page.headers['etag'] ?? '')
    .expect(304);
  for (const name of ['content-security-policy', 'cache-control']) {
    expect(again.headers[name]).toBe(page.headers[name]);
  }
});

test('an unknown page returns a page to browsers, and an error to programs', async () => {
  const { headers, text } = await get('/docs/guides/unknown').set('Accept', 'text/html').expect(404);
  expect([headers['content-type'], headers['cache-control']]).toEqual([
    'text/html; charset=utf-8',
    undefined,
  ]);
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(text).toContain('404');
  const missing = await get('/docs/assets/app.0.js').expect(404);
  expect([missing.body.code, missing.headers['cache-control']]).toEqual(['NOT_FOUND', undefined]);
});

test('each page has its Markdown beside it, and programs find an index and the whole text', async () => {
  for (const [path, type, beginning] of [
    ['/docs/guides.md', 'text/markdown', '# Guides'],
    ['/docs/guides/first-sync.md', 'text/markdown', '# First sync'],
    ['/docs/events.md', 'text/markdown', '# Events'],
    ['/docs/examples/receiver/receiver.py.md', 'text/markdown', '# receiver.py'],
    ['/docs/llms.txt', 'text/plain', '# Deal Signals'],
    ['/docs/llms-full.txt', 'text/plain', '<!-- /api/v1/docs/guides/first-sync.md -->'],
  ] as const) {
    const { headers, text } = await get(path).buffer(true).expect(200);
    expect([path, headers['content-type'], text.slice(0, beginning.length)]).toEqual([
      path,
      `${type}; charset=utf-8`,
      beginning,
    ]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';(?!.*script-src)/);
  }
});

test('HEAD has the headers of GET', async () => {
  const { headers } = await get('/docs/guides').expect(200);
  const head = await supertest(app).head('/api/v1/docs/guides').expect(200);
  expect(head.headers['etag']).toBe(headers['etag']);
  expect(head.text).toBeUndefined();
});

test('compresses scripts for clients that accept it', async () => {
  const script = /src="\/api\/v1([^"]*\.js)"/.exec((await get('/docs').expect(200)).text)?.[1] ?? '';
  const text: string = (await get(script).buffer(true).expect(200)).text;
  const scalar = `/docs${/from '\.(\/[^']*)'/.exec(text)?.[1]}`;
  const sizeOf = async (encoding: string) => {
    const { headers } = await get(scalar).set('Accept-Encoding', encoding).buffer(false).expect(200);
    expect(headers['content-type']).toMatch(/javascript/);
    expect(headers['vary']).toContain('Accept-Encoding');
    return [headers['content-encoding'], Number(headers['content-length'])] as const;
  };
  const [, plain] = await sizeOf('identity');
  const [encoding, compressed] = await sizeOf('br');
  expect(encoding).toBe('br');
  expect(compressed).toBeLessThan(plain / 3);
});

test('files are sent as text', async () => {
  const python = await get('/docs/files/capture/capture.py').expect(200);
  expect([python.headers['content-type'], python.text]).toEqual([
    'text/plain; charset=utf-8',
    expect.stringMatching(/^import /),
  ]);
  expect((await get('/docs/files/capture-records.schema.json').expect(200)).body).toHaveProperty('$schema');
});

test('the root redirects browsers to the reference, and returns 404 to others', async () => {
  const root = () => supertest(app).get('/');
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  await root()
    .set('Accept', browser)
    .expect(302)
    .expect('location', '/api/v1/docs')
    .expect('vary', /Accept/);
  for (const accept of ['*/*', 'application/json']) {
    const { body } = await root().set('Accept', accept).expect(404);
    expect(body.code).toBe('NOT_FOUND');
  }
  await supertest(app).post('/').set('Accept', browser).expect(404);
});
