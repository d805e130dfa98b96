import { expect, test } from '@jest/globals';
import { mintApiKey } from '../../src/auth/mint-api-key.ts';

test('a key has the live prefix and 43 base64url characters, and a hash of 32 bytes', () => {
  const minted = mintApiKey();
  expect(minted.key).toMatch(/^dsk_live_[A-Za-z0-9_-]{43}$/);
  expect(minted.prefix).toBe(minted.key.slice(0, 13));
  expect(minted.hash).toHaveLength(32);
  expect(mintApiKey().key).not.toBe(minted.key);
});
