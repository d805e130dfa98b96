import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { openTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;
let framed: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  framed = await openTestApi({
    settings: {
      console: {
        perMinute: { user: 100, workspace: 100 },
        trustedOrigins: ['https://app.example.com', 'https://b.example'],
        linksStartSessions: true,
      },
    },
  });
});

afterAll(async () => {
  await api.close();
  await framed.close();
});

const page = (path = '/console/', of = api) => supertest(of.app).get(path);
const policyOf = (headers: Record<string, string>) => headers['content-security-policy'] ?? '';
const assetOf = (html: string, type: string) =>
  new RegExp(`/console/assets/[\\w-]+\\.${type}`).exec(html)?.[0] as string;

describe('the page', () => {
  test.each(['/console', '/console/', '/console/deliveries/7', '/console/endpoints?range=day'])(
    'is served at %s, without a cache',
    async (path) => {
      const { text, headers } = await page(path).expect(200).expect('Content-Type', /html/);
      expect(text).toContain('<div id="root">');
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  test('runs only scripts and styles of its own origin, with a nonce of its own for each response', async () => {
    const { text, headers } = await page().expect(200);
    const nonce = /'nonce-([\w+/=]{24})'/.exec(policyOf(headers))?.[1] as string;
    expect(policyOf(headers)).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(text).toContain(`content="${nonce}"`);
    expect(text).not.toMatch(/<script(?![^>]* src="\/console\/assets\/)/);
    const { headers: next } = await page().expect(200);
    expect(policyOf(next)).not.toContain(nonce);
  });

  test('cannot be framed, except by the origins that the operator names', async () => {
    const { headers } = await page('/console/', framed).expect(200);
    expect(policyOf(headers)).toMatch(/frame-ancestors https:\/\/app\.example\.com https:\/\/b\.example$/);
    expect(headers['x-frame-options']).toBeUndefined();
    const { text } = await page('/console/', framed);
    expect(text).toContain('name="trusted-origins" content="https://app.example.com https://b.example"');
  });

  test('asks before a link starts a session, unless the process is for development', async () => {
    const [asks, starts] = await Promise.all([page(), page('/console/', framed)]);
    expect(asks.text).toContain('name="session-links" content="ask"');
    expect(starts.text).toContain('name="session-links" content="start"');
  });

  test.each(['post', 'put', 'delete'] as const)('does not accept %s', async (method) => {
    const { body } = await supertest(api.app)[method]('/console/').expect(405).expect('Allow', 'GET, HEAD');
    expect(body.code).toBe('METHOD_NOT_ALLOWED');
  });

  test('has no undocumented operation', async () => {
    const { body } = await page('/console/api/unknown').expect(404);
    expect(body.code).toBe('NOT_FOUND');
  });
});

describe('its files', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('are sent compressed as %s, and may be cached forever', async (encoding, decompress) => {
    const { text } = await page();
    const asset = assetOf(text, 'js');
    const response = await supertest(api.app)
      .get(asset)
      .set('Accept-Encoding', encoding)
      .buffer(true)
      .parse((stream, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200)
      .expect('Content-Type', /javascript/)
      .expect('Cache-Control', 'public,max-age=31536000,immutable');
    expect(response.headers['content-encoding']).toBe(encoding);
    const sent = response.body as Buffer;
    // superagent has already decompressed some encodings.
    const script = sent.includes('function') ? sent : decompress(sent);
    expect(script.toString()).toContain('function');
  });

  test('that do not exist return 404, not the page', async () => {
    const { body } = await page('/console/assets/index-gone.js').expect(404);
    expect(body.code).toBe('NOT_FOUND');
    await page('/console/assets/../../package.json').expect(404);
  });
});
