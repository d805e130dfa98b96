import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  decryptSigningSecret,
  encryptSigningSecret,
  mintSigningSecret,
  secretsKey,
} from '../../src/signing-secret.ts';

const key = randomBytes(32);

test('a minted secret has its prefix and 32 random bytes', () => {
  expect(mintSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(Array.from({ length: 100 }, mintSigningSecret)).size).toBe(100);
});

test('a secret is stored encrypted, differently each time, and decrypts to itself', () => {
  const secret = mintSigningSecret();
  const stored = encryptSigningSecret(key, 1, secret);
  expect(decryptSigningSecret(key, 1, stored)).toBe(secret);
  expect(stored.includes('whsec_')).toBe(false);
  expect(stored.equals(encryptSigningSecret(key, 1, secret))).toBe(false);
});

describe('a stored secret does not decrypt', () => {
  const stored = encryptSigningSecret(key, 1, mintSigningSecret());

  test('with another key', () => {
    expect(() => decryptSigningSecret(randomBytes(32), 1, stored)).toThrow('SECRETS_KEY');
  });

  test('for another workspace', () => {
    expect(() => decryptSigningSecret(key, 2, stored)).toThrow('SECRETS_KEY');
  });

  test.each([...stored.keys()])('after its byte %d was changed', (index) => {
    const changed = Buffer.from(stored);
    changed[index]! ^= 1;
    expect(() => decryptSigningSecret(key, 1, changed)).toThrow();
  });

  test.each([0, 1, 12, 28, 29, stored.length - 1])('when it is cut to %d bytes', (length) => {
    expect(() => decryptSigningSecret(key, 1, stored.subarray(0, length))).toThrow();
  });
});

test.each(['base64', 'base64url', 'hex'] as const)('SECRETS_KEY may be written in %s', (encoding) => {
  expect(secretsKey.parse(key.toString(encoding))).toEqual(key);
});

test.each([
  ['missing', undefined],
  ['a word', 'secret'],
  ['31 bytes long', randomBytes(31).toString('base64')],
  ['33 bytes long', randomBytes(33).toString('base64')],
  ['an odd number of hexadecimal digits', key.toString('hex').slice(1)],
  ['padded too much', `${key.toString('base64')}=`],
  ['indented', ` ${key.toString('base64')}`],
])('a SECRETS_KEY that is %s is refused', (_form, text) => {
  expect(secretsKey.safeParse(text).error?.issues[0]?.message).toMatch('must be 32 bytes');
});
