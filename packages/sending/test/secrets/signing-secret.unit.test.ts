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
  expect(mintSigningSecret()).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  expect(new Set(Array.from({ length: 100 }, mintSigningSecret)).size).toBe(100);
});

test('a stored secret comes back, is not readable and never looks the same twice', () => {
  const secret = mintSigningSecret();
  const stored = encryptSigningSecret(key, 1, secret);
  expect(decryptSigningSecret(key, 1, stored)).toBe(secret);
  expect(stored.includes('whsec_')).toBe(false);
  expect(stored.equals(encryptSigningSecret(key, 1, secret))).toBe(false);
});

describe('a stored secret does not decrypt', () => {
  const stored = encryptSigningSecret(key, 1, mintSigningSecret());

  test('with another key or for another workspace', () => {
    expect(() => decryptSigningSecret(randomBytes(32), 1, stored)).toThrow('SECRETS_KEY');
    expect(() => decryptSigningSecret(key, 2, stored)).toThrow('SECRETS_KEY');
  });

  test('after any of its bytes was changed', () => {
    for (const index of stored.keys()) {
      const changed = Buffer.from(stored);
      changed[index]! ^= 1;
      expect(() => decryptSigningSecret(key, 1, changed)).toThrow();
    }
  });

  test('when it is cut short', () => {
    for (const length of [0, 1, 12, 28, 29, stored.length - 1]) {
      expect(() => decryptSigningSecret(key, 1, stored.subarray(0, length))).toThrow();
    }
  });
});

test('the key is 32 bytes in base64, base64url or hexadecimal, and nothing else', () => {
  for (const text of [key.toString('base64'), key.toString('base64url'), key.toString('hex')]) {
    expect(secretsKey.parse(text)).toEqual(key);
  }
  for (const text of [
    undefined,
    'secret',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    key.toString('hex').slice(1),
    `${key.toString('base64')}=`,
    ` ${key.toString('base64')}`,
  ]) {
    expect(secretsKey.safeParse(text).error?.issues[0]?.message).toMatch('must be 32 bytes');
  }
});
