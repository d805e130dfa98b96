import { checkEndpointUrl } from '@deal-signals/sending/guard/endpoint-url';
import { checkHeader } from '@deal-signals/sending/headers/custom-headers';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ROUTES } from '../../src/app.ts';
import { isNetwork } from '../../src/auth/networks.ts';
import { describeApi } from '../../src/openapi/document.ts';

const { paths } = describeApi(ROUTES) as any;
const fieldsOf = (path: string, method = 'post') =>
  paths[path][method].requestBody.content['application/json'].schema.properties;
const created = fieldsOf('/webhooks');
const types = paths['/engagement/events'].get.parameters.find(
  ({ name }: { name: string }) => name === 'types',
);

// The same texts in each run.
fc.configureGlobal({ seed: 1 });

const NOTHING: ReadonlySet<string> = new Set();
const isUrl = (text: string) => checkEndpointUrl(text, NOTHING).ok;
/** Reports whether a URL is valid, except for rules that its pattern cannot express. */
function hasFormOfUrl(text: string): boolean {
  // A label that encodes characters beyond ASCII. Most random labels of this form are invalid.
  if (/[/.]xn--/i.test(text)) return true;
  const check = checkEndpointUrl(text, NOTHING);
  return (
    check.ok || /private host|must not use port/.test(check.reason) || new URL(text).hostname.length > 253
  );
}
const allows = ({ pattern }: { pattern: string }, text: string) => new RegExp(pattern).test(text);

describe('accepts every text that matches its published pattern', () => {
  test.each<[string, string, (text: string) => boolean]>([
    ['the URL of an endpoint', created.url.pattern, hasFormOfUrl],
    [
      'the name of a header',
      created.headers.propertyNames.pattern,
      (text) => checkHeader([text.slice(0, 64), 'x']).ok,
    ],
    [
      'the value of a header',
      created.headers.additionalProperties.pattern,
      (text) => checkHeader(['x', text]).ok,
    ],
    ['a network', fieldsOf('/api-keys').allowedNetworks.anyOf[0].items.pattern, isNetwork],
  ])('%s', (_what, pattern, isAccepted) => {
    fc.assert(fc.property(fc.stringMatching(new RegExp(pattern)), isAccepted), { numRuns: 300 });
  });
});

test.each([
  ['https://hooks.crm.example', true],
  ['https://hooks.crm.example:8443/in?tenant=7&x=%20', true],
  ['https://a.b-c.example/#part', true],
  ['https:', false],
  ['https://', false],
  ['https:///path', false],
  ['https://?query', false],
  ['http://crm.example', false],
  ['https://user:pass@crm.example', false],
  ['https://crm.example:65536', false],
  ['https://crm.example/a b', false],
  ['https://crm.example/\\', false],
  ['https://10.0.0.1/', false],
  ['https://localhost/', false],
])('the pattern of a URL and the check agree on %s', (text, isAllowed) => {
  expect({ pattern: allows(created.url, text), check: isUrl(text) }).toEqual({
    pattern: isAllowed,
    check: isAllowed,
  });
});

test('the pattern of `types` allows 20 of them, and no NUL', () => {
  const list = (length: number) => Array<string>(length).fill('t').join(',');
  const allowed = ['', 'a', 'a, b', list(20), list(21), 'a\0', 'a,\0'].map((text) =>
    allows(types.schema, text),
  );
  expect(allowed).toEqual([true, true, true, true, false, false, false]);
});

test.each([
  ['192.0.2.0/24', true],
  ['192.0.2.7', true],
  ['192.0.2.256', false],
  ['192.0.2.0/33', false],
  ['2001:db8::/32', true],
  ['2001:DB8:0:0:0:0:0:1/128', true],
  ['::1', true],
  ['::', true],
  ['2001:db8::/129', false],
  ['1::2::3', false],
  ['1:2:3:4:5:6:7:8:9', false],
  ['localhost', false],
])('the pattern of a network and the check agree on %s', (text, isAllowed) => {
  const { items } = fieldsOf('/api-keys').allowedNetworks.anyOf[0];
  expect({ pattern: allows(items, text), check: isNetwork(text) }).toEqual({
    pattern: isAllowed,
    check: isAllowed,
  });
});

test.each([
  ['2026-09-01', true],
  ['2026-09-01T12:00:00.000Z', true],
  ['2026-09-01T12:00+0200', true],
  ['0001-01-01', true],
  ['2000-02-29', true],
  ['0000-01-01', false],
  ['0000-02-29T12:00:00Z', false],
  ['1900-02-29', false],
  ['2026-09-01T12:00:00', false],
])('the pattern of a time allows %s: %s', (text, isAllowed) => {
  const since = paths['/engagement/events'].get.parameters.find(
    ({ name }: { name: string }) => name === 'since',
  );
  expect(allows(since.schema, text)).toBe(isAllowed);
});
