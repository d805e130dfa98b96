import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkAgainst, type DescriptionCheck } from '@deal-signals/test-kit/published-description';
import type { oas31 } from 'zod-openapi';
import { ROUTES } from '../../src/app.ts';
import { describeApi } from '../../src/openapi/document.ts';
import { errorCodes } from '../../src/openapi/responses.ts';
import { ERROR_TEXTS } from '../../src/openapi/error-texts.ts';
import { STATUS_OF_CODE } from '../../src/http/errors.ts';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;
let published: any;
let check: DescriptionCheck;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  key = await addKey(api.db, 1);
  published = (await api.get('/openapi.json').expect(200)).body;
  check = checkAgainst(published);
});

afterAll(() => api.close());

const template = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
const described = ROUTES.map((route) => ({
  ...route,
  template: template(route.path),
  verb: route.method.toLowerCase(),
}));
const document = describeApi(ROUTES) as any;
const resolve = (response: { $ref?: string }): any =>
  response.$ref ? document.components.responses[response.$ref.split('/').at(-1) as string] : response;
/** The parameters of all operations. */
const queryNames = new Set<string>(described.flatMap(({ query }) => (query ? Object.keys(query.shape) : [])));

test('the description is there for everybody, says what limit applies, and counts against nobody', async () => {
  for (const path of ['/openapi.json', '/docs']) {
    const { headers } = await api.get(path).expect(200);
    expect(headers['x-ratelimit-limit']).toBe('100000');
    expect(headers['x-ratelimit-window']).toBe('60');
    expect(headers['x-ratelimit-remaining']).toBeUndefined();
    expect(headers['x-request-id']).toBeDefined();
    const refused = await api.post(path, key, {}).expect(405);
    expect([refused.headers['allow'], refused.body.code]).toEqual(['GET, HEAD', 'METHOD_NOT_ALLOWED']);
  }
  expect(published.openapi).toBe('3.1.0');
});

test('every route is described, and nothing else', () => {
  const operations = Object.entries<object>(published.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  expect(operations.toSorted()).toEqual(
    described.map(({ verb, template: path }) => `${verb} ${path}`).toSorted(),
  );
  const ids = ROUTES.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(described)('$method $path', (route) => {
  const operation = () => document.paths[route.template][route.verb];

  test('has a summary, an example that is as described, and every code with its status', () => {
    expect(operation().summary).not.toBe('');
    for (const { name, description } of operation().parameters ?? []) {
      expect([name, description]).toEqual([name, expect.stringMatching(/\w/)]);
    }
    const fields = operation().requestBody?.content['application/json'].schema.properties ?? {};
    for (const [name, { description }] of Object.entries<any>(fields)) {
      expect([name, description]).toEqual([name, expect.stringMatching(/\w/)]);
    }
    const status = route.status ?? 200;
    const success = operation().responses[status];
    const body = success.content?.['application/json'].example;
    expect(body === undefined).toBe(status === 204);
    const problems = check.problemsOf({
      method: route.method,
      path: `/api/v1${route.path}`,
      status,
      headers: {
        ...Object.fromEntries(Object.keys(success.headers).map((name) => [name.toLowerCase(), '1'])),
        'content-type': 'application/json',
      },
      body: body === undefined ? '' : JSON.stringify(body),
    });
    expect(problems).toEqual([]);
    for (const code of errorCodes(route)) {
      const { content } = resolve(operation().responses[STATUS_OF_CODE[code]]);
      expect(content['application/json'].examples[code].value).toEqual({
        code,
        error: ERROR_TEXTS[code].message,
      });
    }
  });

  test('reads the query parameters that are described, and no others', async () => {
    const names = operation()
      .parameters.filter((parameter: oas31.ParameterObject) => parameter.in === 'query')
      .map(({ name }: oas31.ParameterObject) => name);
    if (route.method !== 'GET') {
      expect(names).toEqual([]);
      return;
    }
    const path = route.path.replace(':id', route.access === 'key' ? uuid(1) : '1');
    for (const name of queryNames) {
      const token = route.access === 'key' ? key : sessionToken();
      const response = await api.get(`${path}?${name}=1&${name}=2`, token);
      const isRefused = response.body.error === `${name}: must be given only once`;
      expect([name, isRefused]).toEqual([name, names.includes(name)]);
    }
  });

  test('takes the body that is described, by example', async () => {
    if (route.access !== 'session' || route.body === undefined) return;
    const { required, content } = operation().requestBody;
    expect(required).toBe(route.isBodyOptional !== true);
    const { example } = content['application/json'];
    const path = route.path.replace(':id', '99');
    const response = await (route.method === 'PATCH'
      ? api.patch(path, sessionToken(), example)
      : api.post(path, sessionToken(), example));
    expect([201, 404]).toContain(response.status);
  });
});

test('an answer that is not as described is found out', () => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': '1',
    'x-ratelimit-limit': '300',
    'x-ratelimit-window': '60',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-reset': '1',
    etag: '1',
  };
  const example = document.paths['/status'].get.responses['200'].content['application/json'].example;
  const problems = (change: { status?: number; headers?: object; body?: unknown }) =>
    check.problemsOf({
      method: 'GET',
      path: '/api/v1/status',
      status: change.status ?? 200,
      headers: { ...headers, ...change.headers },
      body: JSON.stringify(change.body ?? example),
    }).length;
  expect(problems({})).toBe(0);
  expect(problems({ status: 418 })).toBe(1);
  expect(problems({ headers: { 'retry-after': '1' } })).toBe(1);
  expect(problems({ headers: { 'x-ratelimit-reset': undefined } })).toBe(1);
  expect(problems({ headers: { 'content-type': 'text/html' } })).toBe(1);
  expect(problems({ body: { ...example, more: 1 } })).toBe(1);
  expect(problems({ body: { ...example, company: { ...example.company, more: 1 } } })).toBe(1);
  expect(problems({ body: { ...example, ok: undefined } })).toBe(1);
  expect(problems({ body: { ...example, apiVersion: 'v1' } })).toBe(1);
  expect(
    problems({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { error: '', code: 'NOT_FOUND' },
    }),
  ).not.toBe(0);
  expect(
    check.problemsOf({ method: 'GET', path: '/api/v1/news', status: 200, headers, body: '{}' }),
  ).toHaveLength(1);
});

test('each event type is described with its headers and an example that is as described', () => {
  expect(Object.keys(published.webhooks).toSorted()).toEqual([
    'call.summary.created',
    'decision_room.esign.updated',
    'decision_room.updated',
    'engagement.recorded',
    'integration.ping',
  ]);
  for (const [type, { post }] of Object.entries<any>(published.webhooks)) {
    const { example } = post.requestBody.content['application/json'];
    expect(check.problemsOfWebhook(type, example)).toEqual([]);
    expect(check.problemsOfWebhook(type, { ...example, data: { ...example.data, more: 1 } })).not.toEqual([]);
    expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual([
      'X-Service-Event',
      'X-Service-Event-Id',
      'X-Service-Delivery',
      'X-Service-Signature',
      'User-Agent',
    ]);
  }
});

test('the reference shows every operation and event, and loads nothing from anywhere', async () => {
  const { text, headers } = await api.get('/docs').expect(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(style).toContain('font');
  expect(headers['content-security-policy']).toMatch(`default-src 'none'; style-src 'sha256-${hash}'`);
  const ids = [...ROUTES.map(({ operationId }) => operationId), 'onCallSummaryCreatedEvent', 'schema-Call'];
  for (const id of ids) expect(text).toContain(`id="${id}"`);
  expect(text).not.toMatch(/<(script|link|img|iframe|object|embed)|\bsrc=|url\(|@import|style="/);
  const anchors = [...text.matchAll(/href="([^"]+)"/g)].map(([, target]) => target as string);
  for (const target of anchors) {
    expect(
      target === 'openapi.json' || (target.startsWith('#') && text.includes(`id="${target.slice(1)}"`)),
    ).toBe(true);
  }
});
