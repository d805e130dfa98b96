import { checkAgainst } from '@deal-signals/test-kit/published-description';
import { describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/app.ts';
import { STATUS_OF_CODE } from '../../src/http/errors.ts';
import type { Route } from '../../src/http/route.ts';
import { describeApi } from '../../src/openapi/document.ts';
import { ERROR_TEXTS } from '../../src/openapi/error-texts.ts';
import { errorCodes } from '../../src/openapi/responses.ts';
import { getStatus } from '../../src/routes/status.ts';

const document = describeApi(ROUTES) as any;
const check = checkAgainst(document);

const described = ROUTES.map((route) => ({
  ...route,
  template: route.path.replaceAll(/:(\w+)/g, '{$1}'),
  verb: route.method.toLowerCase(),
}));
const resolve = (response: { $ref?: string }): any =>
  response.$ref ? document.components.responses[response.$ref.split('/').at(-1) as string] : response;

test('every route is described, and nothing else', () => {
  const operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
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
  expect(Object.keys(document.webhooks).toSorted()).toEqual([
    'call.summary.created',
    'decision_room.esign.updated',
    'decision_room.updated',
    'engagement.recorded',
    'integration.ping',
  ]);
  for (const [type, { post }] of Object.entries<any>(document.webhooks)) {
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

test('an operation with a sunset is described as deprecated, with its headers', () => {
  const ending: Route = {
    method: 'GET',
    path: '/old-status',
    access: 'key',
    sunset: { deprecatedAt: new Date(0), sunsetAt: new Date(1), link: 'https://docs.example/status-in-v2' },
    ...getStatus,
  };
  const operation = (describeApi([ending]) as any).paths['/old-status'].get;
  expect(operation.deprecated).toBe(true);
  expect(Object.keys(operation.responses['200'].headers)).toEqual(
    expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
  );
});

test('no operation of v1 has a sunset', () => {
  expect(ROUTES.filter(({ sunset }) => sunset)).toEqual([]);
});
