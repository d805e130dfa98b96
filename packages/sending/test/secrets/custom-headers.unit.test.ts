import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  checkHeader,
  type CustomHeader,
  decryptHeaders,
  encryptHeaders,
} from '../../src/headers/custom-headers.ts';
import { singleKey } from '../../src/secrets/secret-keys.ts';
import { decryptSigningSecret, encryptSigningSecret } from '../../src/secrets/signing-secret.ts';

const key = singleKey(randomBytes(32));
const HEADERS: CustomHeader[] = [
  ['Authorization', 'Basic dXNlcjpwYXNzd29yZA=='],
  ['X-Tenant', '7'],
];

describe('a header', () => {
  test.each([
    ['Authorization', 'Bearer abc.def-ghi'],
    ['X-Api-Key', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    ['x_tenant.id', '7'],
    ['Cookie', 'session=1; theme=dark'],
    ['constructor', 'x'],
    ['X'.repeat(64), 'x'],
  ])('%s: %s is allowed', (name, value) => {
    expect(checkHeader([name, value])).toEqual({ ok: true });
  });

  test.each([
    'Accept',
    'ACCEPT-ENCODING',
    'Connection',
    'Content-Length',
    'content-type',
    'Content-Encoding',
    'Expect',
    'Forwarded',
    'Host',
    'HTTP2-Settings',
    'Keep-Alive',
    'Proxy-Authorization',
    'Proxy-Connection',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'User-Agent',
    'Via',
    'X-Forwarded-For',
    'X-Real-IP',
    'X-Service-Signature',
    'x-service-anything',
    'Webhook-Id',
    'webhook-signature',
    'traceparent',
    'tracestate',
  ])('named %s is rejected, because the service or a connection sets it', (name) => {
    expect(checkHeader([name, 'x'])).toEqual({ ok: false, reason: expect.stringContaining('sets') });
  });

  test.each(['', ' X', 'X:', 'X Y', 'Ü', 'X\r\nHost', 'X\0', '__proto__', ':authority', 'X'.repeat(65)])(
    'named %j is rejected',
    (name) => {
      expect(checkHeader([name, 'x'])).toEqual({ ok: false, reason: expect.stringContaining('a name of') });
    },
  );

  test('with a value that is too long is rejected', () => {
    expect(checkHeader(['X-Key', 'v'.repeat(4_096)])).toEqual({ ok: true });
    expect(checkHeader(['X-Key', 'v'.repeat(4_097)])).toEqual({
      ok: false,
      reason: expect.stringContaining('a value of'),
    });
  });

  test.each(['', ' x', 'x ', 'a\r\nHost: b', 'a\nb', 'a\0', 'a\tb', 'ü', '🎉', '\x7f'])(
    'with the value %j is rejected',
    (value) => {
      expect(checkHeader(['X-Key', value])).toEqual({
        ok: false,
        reason: expect.stringContaining('a value of'),
      });
    },
  );
});

describe('stored headers', () => {
  test('are encrypted, differently each time, and decrypt to themselves', () => {
    const stored = encryptHeaders(key, 1, HEADERS);
    expect(decryptHeaders(key, 1, stored)).toEqual(HEADERS);
    for (const text of HEADERS.flat()) {
      if (text.length > 1) expect(stored.includes(text)).toBe(false);
    }
    expect(stored.equals(encryptHeaders(key, 1, HEADERS))).toBe(false);
  });

  test('do not decrypt with another key, for another workspace, or as a signing secret', () => {
    const stored = encryptHeaders(key, 1, HEADERS);
    expect(() => decryptHeaders(singleKey(randomBytes(32)), 1, stored)).toThrow('SECRETS_KEY');
    expect(() => decryptHeaders(key, 2, stored)).toThrow('SECRETS_KEY');
    expect(() => decryptSigningSecret(key, 1, stored)).toThrow('SECRETS_KEY');
    expect(() => decryptHeaders(key, 1, encryptSigningSecret(key, 1, 'whsec_x'))).toThrow('SECRETS_KEY');
  });
});
