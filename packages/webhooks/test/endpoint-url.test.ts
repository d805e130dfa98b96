import { describe, expect, test } from '@jest/globals';
import { checkEndpointUrl } from '../src/endpoint-url.ts';

const NONE = new Set<string>();

describe('taken', () => {
  test.each([
    'https://example.com',
    'https://example.com:8443/hooks/deal?token=a%20b#part',
    'HTTPS://EXAMPLE.COM/',
    'https://example.com./',
    'https://sub.domain.example.co.uk/',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://internal.example.com/',
    'https://local.example.com/',
    'https://notlocalhost.com/',
    'https://example.com/@path',
    'https://example.com/?to=a@b.example',
    `https://example.com/${'a'.repeat(2048 - 20)}`,
  ])('%s', (raw) => {
    expect(checkEndpointUrl(raw, NONE)).toEqual({ ok: true, url: new URL(raw) });
  });
});

describe('refused', () => {
  test.each([
    ['', 'absolute'],
    ['example.com', 'absolute'],
    ['//example.com', 'absolute'],
    ['https://', 'absolute'],
    ['https://exa mple.com', 'blanks'],
    [' https://example.com', 'blanks'],
    ['https://example.com/\n', 'blanks'],
    ['https://exa\tmple.com/', 'blanks'],
    ['https://example.com/\0', 'blanks'],
    [`https://example.com/${'a'.repeat(2048 - 19)}`, 'longer than 2048'],
    // scheme
    ['http://example.com', 'https://'],
    ['ftp://example.com', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['wss://example.com', 'https://'],
    // credentials
    ['https://user:pass@example.com', 'credentials'],
    ['https://user@example.com', 'credentials'],
    ['https://:pass@example.com', 'credentials'],
    ['https://@example.com', 'credentials'],
    ['https://:@example.com', 'credentials'],
    ['https:\\\\user@example.com', 'credentials'],
    ['https://example.com@127.0.0.1/', 'credentials'],
    // names
    ['https://localhost', 'private host'],
    ['https://LOCALHOST.', 'private host'],
    ['https://a.localhost', 'private host'],
    ['https://printer.local', 'private host'],
    ['https://db.internal', 'private host'],
    ['https://metadata.google.internal/computeMetadata/v1/', 'private host'],
    ['https://router.home.arpa', 'private host'],
    ['https://api.default.svc', 'private host'],
    ['https://metadata.azure.com', 'private host'],
    ['https://intranet', 'fully qualified'],
    ['https://intranet.', 'fully qualified'],
    ['https://example..com', 'valid host'],
    ['https://example.com..', 'valid host'],
    ['https://.example.com', 'valid host'],
    [`https://${'a'.repeat(64)}.com`, 'valid host'],
    [`https://${'a.'.repeat(126)}com`, 'valid host'],
    // addresses in every spelling that a parser takes
    ['https://127.0.0.1', 'private address'],
    ['https://127.0.0.1.', 'private address'],
    ['https://127.1', 'private address'],
    ['https://2130706433', 'private address'],
    ['https://0x7f000001', 'private address'],
    ['https://0x7f.1', 'private address'],
    ['https://0177.0.0.1', 'private address'],
    ['https://１２７.0.0.1', 'private address'],
    ['https://127。0。0。1', 'private address'],
    ['https://%31%32%37.0.0.1', 'private address'],
    ['https://0', 'private address'],
    ['https://10.0.0.1:8443', 'private address'],
    ['https://169.254.169.254/latest/meta-data', 'private address'],
    ['https:/\\10.0.0.1', 'private address'],
    ['https://[::1]', 'private address'],
    ['https://[::]', 'private address'],
    ['https://[::ffff:127.0.0.1]', 'private address'],
    ['https://[::ffff:7f00:1]', 'private address'],
    ['https://[fd00::1]', 'private address'],
    ['https://[fe80::1]', 'private address'],
    ['https://[64:ff9b::10.0.0.1]', 'private address'],
    ['https://[2002:7f00:1::]', 'private address'],
    ['https://[fe80::1%25eth0]', 'absolute'],
    ['https://1.2.3.4.5', 'absolute'],
  ])('%s', (raw, reason) => {
    expect(checkEndpointUrl(raw, NONE)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

test('an exempt host may be private, by any spelling, but still needs https', () => {
  const allowed = new Set(['127.0.0.1', 'localhost', '::1']);
  for (const raw of ['https://127.0.0.1:8443/', 'https://127.1/', 'https://localhost./', 'https://[0::1]/']) {
    expect(checkEndpointUrl(raw, allowed).ok).toBe(true);
  }
  for (const raw of [
    'http://127.0.0.1/',
    'https://127.0.0.2/',
    'https://a.localhost/',
    'https://u@127.0.0.1/',
  ]) {
    expect(checkEndpointUrl(raw, allowed).ok).toBe(false);
  }
});
