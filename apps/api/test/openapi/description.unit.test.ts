import { readFileSync } from 'node:fs';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { checkAgainst } from '@deal-signals/test-kit/published-description';
import { describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/app.ts';
import { describeCapture } from '../../src/capture/description.ts';
import { describeConsole } from '../../src/console/router.ts';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { STATUS_OF_CODE } from '../../src/http/errors.ts';
import type { Route } from '../../src/http/route.ts';
import { PUBLISHED_TOOLS } from '../../src/mcp/tools.ts';
import { describeApi } from '../../src/openapi/document.ts';
import { ERROR_TEXTS } from '../../src/openapi/error-texts.ts';
import { errorCodes } from '../../src/openapi/responses.ts';
import { getStatus } from '../../src/routes/status.ts';

const document = describeApi(ROUTES) as any;
const check = checkAgainst(document);

const resolve = (described: any, response: { $ref?: string }): any =>
  response.$ref ? described.components.responses[response.$ref.split('/').at(-1) as string] : response;

describe.each([
  ['the API', '/api/v1', ROUTES, document],
  ['the console', '/console/api', CONSOLE_ROUTES, describeConsole() as any],
])('the description of %s', (_what, base, table, published) => {
  const checkOfTable = checkAgainst(published);
  const entries = table.map((route) => ({
    ...route,
    template: route.path.replaceAll(/:(\w+)/g, '{$1}'),
    verb: route.method.toLowerCase(),
  }));

  test('describes every route, and nothing else', () => {
    const operations = Object.entries<object>(published.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(operations.toSorted()).toEqual(
      // The API alone has an operation without a credential, which is no route of its table.
      [
        ...entries.map(({ verb, template: path }) => `${verb} ${path}`),
        ...(table === ROUTES ? ['get /webhook-sources'] : []),
      ].toSorted(),
    );
    const ids = table.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  describe.each(entries)('$method $path', (route) => {
    const operation = () => published.paths[route.template][route.verb];

    test('has a summary, a valid example, and each of its error codes at its status', () => {
      expect(operation().summary).toMatch(/^.{5,80}$/);
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
      const problems = checkOfTable.problemsOf({
        method: route.method,
        path: `${base}${route.path}`,
        status,
        headers: {
          ...Object.fromEntries(Object.keys(success.headers).map((name) => [name.toLowerCase(), '1'])),
          'content-type': 'application/json',
        },
        body: body === undefined ? '' : JSON.stringify(body),
      });
      expect(problems).toEqual([]);
      for (const code of errorCodes(route)) {
        const { content } = resolve(published, operation().responses[STATUS_OF_CODE[code]]);
        expect(content['application/json'].examples[code].value).toEqual({
          code,
          error: ERROR_TEXTS[code].message,
          ...(STATUS_OF_CODE[code] === 400 && { field: ERROR_TEXTS[code].field }),
        });
      }
    });
  });
});

test('every operation names what its credential needs, where programs look and where people do', () => {
  const named = ROUTES.map(({ path, method }) => {
    const { security, description } =
      document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    return [`${method} ${path}`, security, description.split('\n\n').at(-1)];
  });
  expect(named).toEqual(
    ROUTES.map((route) => {
      const entry = `${route.method} ${route.path}`;
      const session = 'A session with the permission `integrations.crm`';
      const adminSession = ['integrations.crm'];
      if (route.access === 'session') return [entry, [{ adminSession }], `${session} may call it.`];
      if (route.access === 'session or key') {
        const text = `${session}, or an API key with the scope \`webhooks\` may call it.`;
        return [entry, [{ adminSession }, { apiKeyAuth: ['webhooks'] }], text];
      }
      return route.scope === null
        ? [entry, [{ apiKeyAuth: [] }], 'Any API key may call it.']
        : [entry, [{ apiKeyAuth: [route.scope] }], `An API key needs the scope \`${route.scope}\`.`];
    }),
  );
});

describe('the check of responses', () => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': '1',
    'x-ratelimit-limit': '300',
    'x-ratelimit-window': '60',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-reset': '1',
    'ratelimit-policy': '1',
    ratelimit: '1',
    etag: '1',
  };
  const example = document.paths['/status'].get.responses['200'].content['application/json'].example;
  const problems = (change: { path?: string; status?: number; headers?: object; body?: unknown }) =>
    check.problemsOf({
      method: 'GET',
      path: change.path ?? '/api/v1/status',
      status: change.status ?? 200,
      headers: { ...headers, ...change.headers },
      body: JSON.stringify(change.body ?? example),
    });

  test('accepts the example', () => {
    expect(problems({})).toEqual([]);
  });

  test.each([
    ['an undescribed status', { status: 418 }],
    ['an undescribed header', { headers: { 'retry-after': '1' } }],
    ['a missing header', { headers: { 'x-ratelimit-reset': undefined } }],
    ['another content type', { headers: { 'content-type': 'text/html' } }],
    ['an undescribed field', { body: { ...example, more: 1 } }],
    ['an undescribed nested field', { body: { ...example, company: { ...example.company, more: 1 } } }],
    ['a missing field', { body: { ...example, ok: undefined } }],
    ['a wrong value', { body: { ...example, apiVersion: 'v1' } }],
    ['an unknown operation', { path: '/api/v1/news', body: {} }],
  ])('finds %s', (_what, change) => {
    expect(problems(change)).toHaveLength(1);
  });

  test('finds an error code of another status', () => {
    const body = { error: '', code: 'NOT_FOUND' };
    expect(problems({ status: 401, headers: { 'www-authenticate': 'Bearer' }, body })).not.toEqual([]);
  });
});

/** The schemas of UUIDs in a document, by their JSON pointers. */
function uuidSchemas(node: unknown, pointer = ''): [pointer: string, schema: { pattern?: string }][] {
  if (typeof node !== 'object' || node === null) return [];
  return [
    ...('format' in node && node.format === 'uuid' ? [[pointer, node] as [string, object]] : []),
    ...Object.entries(node).flatMap(([key, value]) => uuidSchemas(value, `${pointer}/${key}`)),
  ];
}

test.each<[string, unknown]>([
  ['the API', document],
  ['the console', describeConsole()],
  ['the tools for models', PUBLISHED_TOOLS],
])('no schema of %s limits ids to the versions of RFC 9562', (_what, published) => {
  const schemas = uuidSchemas(published);
  expect(schemas.length).toBeGreaterThan(10);
  const limited = schemas.filter(
    ([, { pattern = '' }]) => !new RegExp(pattern).test('852e395d-693e-ed11-809a-c971856d9437'),
  );
  expect(limited).toEqual([]);
});

test('describes all event types', () => {
  expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
});

test.each(Object.keys(document.webhooks))('the event type %s has its headers and a valid example', (type) => {
  const { post } = document.webhooks[type];
  const { example } = post.requestBody.content['application/json'];
  expect(check.problemsOfWebhook(type, example)).toEqual([]);
  expect(check.problemsOfWebhook(type, { ...example, data: { ...example.data, more: 1 } })).not.toEqual([]);
  expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual([
    'X-Service-Event',
    'X-Service-Event-Id',
    'X-Service-Delivery',
    'X-Service-Signature',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'traceparent',
    'User-Agent',
  ]);
});

test('an operation with a sunset is described as deprecated, with its headers', () => {
  const ending: Route = {
    method: 'GET',
    path: '/old-status',
    access: 'key',
    scope: null,
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

test('every description names the licence of the repository', () => {
  const [title] = readFileSync(new URL('../../../../LICENSE', import.meta.url), 'utf8').split('\n');
  for (const { info } of [document, describeConsole(), describeCapture()] as any[]) {
    expect([`${info.license.name} License`, info.license.identifier]).toEqual([title, 'MIT']);
  }
});
