import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { oas31 } from 'zod-openapi';
import { ROUTES } from '../../src/app.ts';
import { describeApi } from '../../src/openapi/document.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  key = await addKey(api.db, 1);
});

afterAll(() => api.close());

const template = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
const described = ROUTES.map((route) => ({
  ...route,
  template: template(route.path),
  verb: route.method.toLowerCase(),
}));
const document = describeApi(ROUTES) as any;
/** The query parameters of all operations. */
const queryNames = new Set<string>(described.flatMap(({ query }) => (query ? Object.keys(query.shape) : [])));

test.each(['/openapi.json', '/docs', '/docs/', '/docs/guides/first-sync', '/docs/events'])(
  '%s needs no credential and counts against no limit',
  async (path) => {
    const { headers } = await api.get(path).expect(200);
    expect(headers['x-ratelimit-limit']).toBe('100000');
    expect(headers['x-ratelimit-window']).toBe('60');
    expect(headers['x-ratelimit-remaining']).toBeUndefined();
    expect(headers['x-request-id']).toBeDefined();
    const refused = await api.post(path, key, {}).expect(405);
    expect([refused.headers['allow'], refused.body.code]).toEqual(['GET, HEAD', 'METHOD_NOT_ALLOWED']);
  },
);

test('publishes the description of the route table', async () => {
  const published = (await api.get('/openapi.json').expect(200)).body;
  expect(published).toEqual(JSON.parse(JSON.stringify(document)));
  expect(published.openapi).toBe('3.1.0');
});

describe.each(described)('$method $path', (route) => {
  const operation = () => document.paths[route.template][route.verb];

  test('reads exactly the query parameters that are described', async () => {
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

  test('accepts the body of its example', async () => {
    if (route.access === 'key' || route.body === undefined) return;
    const { required, content } = operation().requestBody;
    expect(required).toBe(route.isBodyOptional !== true);
    const { example } = content['application/json'];
    const path = route.path.replace(':id', '99');
    const response = await (route.method === 'PATCH'
      ? api.patch(path, sessionToken(), example)
      : api.post(path, sessionToken(), example));
    // Nothing exists yet, so a path with an id returns 404.
    expect(response.status).toBe(route.path.includes(':id') ? 404 : (route.status ?? 200));
  });
});
