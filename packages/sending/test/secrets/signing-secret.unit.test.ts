import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { singleKey } from '../../src/secrets/secret-keys.ts';
import {
  decryptSigningSecret,
  encryptSigningSecret,
  generateSigningSecret,
} from '../../src/secrets/signing-secret.ts';

const keys = singleKey(randomBytes(32));

test('a generated secret has its prefix and 32 random bytes', () => {
  expect(generateSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(Array.from({ length: 100 }, generateSigningSecret)).size).toBe(100);
});

test('a secret is stored encrypted, differently each time, and decrypts to itself', () => {
  const secret = generateSigningSecret();
  const stored = encryptSigningSecret(keys, 1, secret);
  expect(decryptSigningSecret(keys, 1, stored)).toBe(secret);
  expect(stored.includes('whsec_')).toBe(false);
  expect(stored.equals(encryptSigningSecret(keys, 1, secret))).toBe(false);
});

describe('a stored secret does not decrypt', () => {
  const stored = encryptSigningSecret(keys, 1, generateSigningSecret());

  test('with another key', () => {
    expect(() => decryptSigningSecret(singleKey(randomBytes(32)), 1, stored)).toThrow('SECRETS_KEY');
  });

  test('for another workspace', () => {
    expect(() => decryptSigningSecret(keys, 2, stored)).toThrow('SECRETS_KEY');
  });

  test.each([...stored.keys()])('after its byte %d was changed', (index) => {
    const changed = Buffer.from(stored);
    changed[index]! ^= 1;
    expect(() => decryptSigningSecret(keys, 1, changed)).toThrow();
  });

  test.each([0, 1, 12, 28, 29, stored.length - 1])('when it is cut to %d bytes', (length) => {
    expect(() => decryptSigningSecret(keys, 1, stored.subarray(0, length))).toThrow();
  });
});
