import { beforeAll, expect, test } from '@jest/globals';
import { type Collection, toPostmanCollection } from '../../postman/convert.ts';
import { ROUTES } from '../../src/app.ts';
import { describeApi } from '../../src/openapi/document.ts';

let collection: Collection;

beforeAll(async () => {
  collection = await toPostmanCollection(describeApi(ROUTES));
});

const requests = (): any[] => collection.item.flatMap(({ item }) => item ?? []);

test('every operation has a request, with the credential that it takes and the address of the API', () => {
  const shown = requests().map(
    ({ request: { method, url, auth } }) =>
      `${method} ${url.host.join('.')}/${url.path.join('/')} ${auth.bearer?.[0].value ?? auth.type}`,
  );
  const routes = ROUTES.map(
    ({ method, path, access }) =>
      `${method} {{baseUrl}}${path} ${access === 'key' ? '{{apiKey}}' : '{{sessionToken}}'}`,
  );
  expect(shown.toSorted()).toEqual([...routes, 'GET {{baseUrl}}/webhook-sources noauth'].toSorted());
});

test('optional parameters are disabled', () => {
  const parameters = requests().flatMap(({ request }) => request.url.query);
  expect(parameters.length).toBeGreaterThan(20);
  expect(parameters.filter(({ disabled }) => !disabled)).toEqual([]);
});

test('contains no random ids', () => {
  expect(JSON.stringify(collection)).not.toMatch(/"(id|_postman_id)":"[0-9a-f]{8}-/);
});
