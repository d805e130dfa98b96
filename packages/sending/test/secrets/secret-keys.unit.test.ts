import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { UnreadableSecretError } from '../../src/secrets/encrypted-text.ts';
import { type SecretKeys, secretKeys, singleKey } from '../../src/secrets/secret-keys.ts';
import {
  decryptSigningSecret,
  encryptSigningSecret,
  generateSigningSecret,
} from '../../src/secrets/signing-secret.ts';

const key = randomBytes(32);
const [one, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];

test.each(['base64', 'base64url', 'hex'] as const)('SECRETS_KEY may be written in %s', (encoding) => {
  expect(secretKeys.parse(key.toString(encoding))).toEqual(singleKey(key));
});

test.each([
  ['missing', undefined],
  ['a word', 'secret'],
  ['31 bytes long', randomBytes(31).toString('base64')],
  ['33 bytes long', randomBytes(33).toString('base64')],
  ['an odd number of hexadecimal digits', key.toString('hex').slice(1)],
  ['padded too much', `${key.toString('base64')}=`],
  ['indented', ` ${key.toString('base64')}`],
])('a SECRETS_KEY that is %s is rejected', (_form, text) => {
  expect(secretKeys.safeParse(text).error?.issues[0]?.message).toMatch('must be 32 bytes');
});

test.each([
  ['with two keys without an id', `${one},${other}`],
  ['with an empty id', `:${one}`],
  ['with an id of other characters', `a b:${one}`],
  ['with an id that is too long', `${'a'.repeat(33)}:${one}`],
  ['with a short key', `a:${one},b:short`],
  ['with one id twice', `a:${one},a:${other}`],
  ['that end with a comma', `a:${one},`],
])('several keys %s are rejected', (_form, text) => {
  const message = secretKeys.safeParse(text).error?.issues[0]?.message;
  expect(message).toMatch('must be id:key pairs');
  expect(message).not.toContain(one);
});

describe('a rotation of keys', () => {
  const secret = generateSigningSecret();
  const reads = (keys: SecretKeys, stored: Uint8Array) => decryptSigningSecret(keys, 1, stored) === secret;
  const before = secretKeys.parse(one);
  const named = secretKeys.parse(`a:${one}`);
  const prepared = secretKeys.parse(`a:${one}, b:${other}`);
  const switched = secretKeys.parse(`b:${other},a:${one}`);
  const after = secretKeys.parse(`b:${other}`);
  const by = (keys: SecretKeys) => encryptSigningSecret(keys, 1, secret);

  test('processes of each step read the secrets that the steps before and after it write', () => {
    const steps = [before, named, prepared, switched];
    for (const [n, keys] of steps.entries()) {
      for (const neighbour of steps.slice(Math.max(n - 1, 0), n + 2))
        expect(reads(keys, by(neighbour))).toBe(true);
    }
    expect(reads(after, by(switched))).toBe(true);
    expect(reads(switched, by(before))).toBe(true);
  });

  test('a key without an id is replaced in the same steps, without giving it an id', () => {
    const steps = [
      before,
      secretKeys.parse(`${one},b:${other}`),
      secretKeys.parse(`b:${other},${one}`),
      after,
    ];
    for (const [n, keys] of steps.slice(0, -1).entries()) {
      for (const neighbour of steps.slice(Math.max(n - 1, 0), n + 2))
        expect(reads(keys, by(neighbour))).toBe(true);
    }
    expect(steps.map((keys) => by(keys)[0])).toEqual([1, 1, 2, 2]);
  });

  test('the first key encrypts, and its texts contain its id', () => {
    expect(by(switched).subarray(0, 3)).toEqual(Buffer.from('\x02\x01b'));
    expect(by(prepared).subarray(0, 3)).toEqual(Buffer.from('\x02\x01a'));
    expect(by(before)[0]).toBe(1);
  });

  test('the error names a missing key and nothing else', () => {
    expect(() => reads(after, by(prepared))).toThrow(
      new UnreadableSecretError('SECRETS_KEY has no key "a", which encrypts the stored signing secret'),
    );
    expect(() => reads(after, by(before))).toThrow('SECRETS_KEY does not decrypt the stored signing secret');
    const wrong = secretKeys.parse(`a:${other}`);
    expect(() => reads(wrong, by(prepared))).toThrow(
      'SECRETS_KEY does not decrypt the stored signing secret',
    );
  });

  test.each([...by(switched).keys()])(
    'a named secret does not decrypt after its byte %d was changed',
    (index) => {
      const changed = by(switched);
      changed[index]! ^= 1;
      expect(() => reads(switched, changed)).toThrow(UnreadableSecretError);
    },
  );

  test('a secret that is cut short does not decrypt', () => {
    const stored = by(switched);
    for (let length = 0; length < stored.length; length += 1) {
      expect(() => reads(switched, stored.subarray(0, length))).toThrow(UnreadableSecretError);
    }
  });
});
