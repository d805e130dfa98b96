import { expect, test } from '@jest/globals';
import { generateApiKey } from '../../src/auth/generate-api-key.ts';

test('a key has the live prefix and 43 base64url characters, and a hash of 32 bytes', () => {
  const generated = generateApiKey();
  expect(generated.key).toMatch(/^dsk_live_[A-Za-z0-9_-]{43}$/);
  expect(generated.prefix).toBe(generated.key.slice(0, 13));
  expect(generated.hash).toHaveLength(32);
  expect(generateApiKey().key).not.toBe(generated.key);
});
