import { expect, test } from '@jest/globals';
import { checkEndpointUrl } from '../../src/endpoint-url.ts';

// The URLs of hosts that are not exempt are in url-corpus.unit.test.ts.

const EXEMPT = new Set(['127.0.0.1', 'localhost', '::1']);

test.each(['https://127.0.0.1:8443/', 'https://127.1/', 'https://localhost./', 'https://[0::1]/'])(
  'a private host that is exempt is accepted in any spelling: %s',
  (raw) => {
    expect(checkEndpointUrl(raw, EXEMPT).ok).toBe(true);
  },
);

test.each([
  ['http', 'http://127.0.0.1/', 'must begin with https://'],
  ['credentials', 'https://u@127.0.0.1/', 'must not contain credentials'],
  ['another private address', 'https://127.0.0.2/', 'must not point to a private address'],
  ['a name below the exempt one', 'https://a.localhost/', 'must not point to a private host'],
])('an exemption does not extend to %s', (_what, raw, reason) => {
  expect(checkEndpointUrl(raw, EXEMPT)).toEqual({ ok: false, reason });
});
