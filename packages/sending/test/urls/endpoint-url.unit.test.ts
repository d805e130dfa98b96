import { expect, test } from '@jest/globals';
import { checkEndpointUrl } from '../../src/guard/endpoint-url.ts';
import { privateHostEntry } from '../../src/guard/private-hosts.ts';

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

const NO_HOSTS: ReadonlySet<string> = new Set();
/** The first and the last port of the Fetch standard's list, and some that scanners try first. */
const BLOCKED = [1, 22, 25, 110, 143, 389, 993, 2049, 5060, 6000, 6666, 10_080];

test('the ports that browsers block are rejected, and others are not', () => {
  const isOk = (port: number) => checkEndpointUrl(`https://example.com:${port}/`, NO_HOSTS).ok;
  expect(BLOCKED.filter(isOk)).toEqual([]);
  expect([80, 443, 8080, 8443, 3000, 65_535].filter((port) => !isOk(port))).toEqual([]);
  expect(checkEndpointUrl('https://example.com:25/', NO_HOSTS)).toEqual({
    ok: false,
    reason: 'must not use port 25',
  });
});

test('the operator can allow fewer ports', () => {
  const isOk = (raw: string) => checkEndpointUrl(raw, new Set(['127.0.0.1']), new Set([443, 25])).ok;
  expect(isOk('https://example.com/')).toBe(true);
  expect(isOk('https://example.com:8443/')).toBe(false);
  // Allowing a port does not unblock it.
  expect(isOk('https://example.com:25/')).toBe(false);
  // An exempt host may use every port.
  expect(isOk('https://127.0.0.1:8443/')).toBe(true);
  expect(isOk('https://127.0.0.1:25/')).toBe(true);
});

test('a host that is exempt at one port is not exempt at other ports', () => {
  const allowed = new Set(
    ['127.1:8443', 'localhost:443', '[::1]:8443'].map((host) => privateHostEntry(host) ?? ''),
  );
  const isOk = (raw: string) => checkEndpointUrl(raw, allowed).ok;
  for (const raw of [
    'https://127.0.0.1:8443/',
    'https://localhost/',
    'https://localhost.:443/',
    'https://[::1]:8443/',
  ]) {
    expect([raw, isOk(raw)]).toEqual([raw, true]);
  }
  for (const raw of [
    'https://127.0.0.1/',
    'https://127.0.0.1:8444/',
    'https://localhost:8443/',
    'https://[::1]/',
  ]) {
    expect([raw, isOk(raw)]).toEqual([raw, false]);
  }
});
