import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createCredentialLookup } from '../../src/auth/credential-lookup.ts';
import { ApiError } from '../../src/http/errors.ts';
import { ConcurrencyLimiter, concurrencyLimits } from '../../src/http/limits/concurrency-limiter.ts';

/** Lookups that end when the test resolves them. */
function manual() {
  const begun = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const lookup = createCredentialLookup<string>(new ConcurrencyLimiter(concurrencyLimits(2)));
  return {
    begun,
    find: (digest: string) => {
      const found = lookup(
        digest,
        () => new Promise((resolve, reject) => begun.set(digest, { resolve: () => resolve(digest), reject })),
      );
      // Lookups that are still pending at the end of a test are rejected after a while.
      found.catch(() => {});
      return found;
    },
  };
}

test('a credential that was valid does not wait for unknown ones', async () => {
  const { begun, find } = manual();
  const first = find('known');
  await nextTurn();
  begun.get('known')?.resolve();
  expect(await first).toBe('known');
  begun.clear();
  for (const digest of ['a', 'b', 'c']) void find(digest);
  await nextTurn();
  expect([...begun.keys()]).toEqual(['a', 'b']);
  void find('known');
  await nextTurn();
  expect([...begun.keys()]).toEqual(['a', 'b', 'known']);
  begun.get('a')?.resolve();
  await nextTurn();
  expect([...begun.keys()]).toEqual(['a', 'b', 'known', 'c']);
});

test('a credential that is no longer valid is unknown again', async () => {
  const { begun, find } = manual();
  for (const end of ['resolve', 'reject'] as const) {
    const looked = find('revoked').catch(() => 'refused');
    await nextTurn();
    begun.get('revoked')?.[end](new ApiError('API_KEY_INVALID', 'revoked'));
    await looked;
  }
  begun.clear();
  for (const digest of ['a', 'b', 'revoked']) void find(digest);
  await nextTurn();
  expect([...begun.keys()]).toEqual(['a', 'b']);
});

test('a credential remains known if the database could not be asked', async () => {
  const { begun, find } = manual();
  for (const end of ['resolve', 'reject'] as const) {
    const looked = find('known').catch(() => 'failed');
    await nextTurn();
    begun.get('known')?.[end](new Error('the database is away'));
    await looked;
  }
  begun.clear();
  for (const digest of ['a', 'b', 'known']) void find(digest);
  await nextTurn();
  expect([...begun.keys()].toSorted()).toEqual(['a', 'b', 'known']);
});

test('every request uses a lookup that began after it', async () => {
  const { begun, find } = manual();
  const results: string[] = [];
  void find('key').then(() => results.push('first'));
  await nextTurn();
  const endFirst = begun.get('key');
  begun.clear();
  void find('key').then(() => results.push('second'));
  await nextTurn();
  expect(begun.size).toBe(0);
  endFirst?.resolve();
  await nextTurn();
  expect(results).toEqual(['first']);
  begun.get('key')?.resolve();
  await nextTurn();
  expect(results).toEqual(['first', 'second']);
});

test('a failed lookup fails for all requests that share it, and for no others', async () => {
  const { begun, find } = manual();
  const first = find('key');
  await nextTurn();
  const [second, third] = [find('key'), find('key')];
  const other = find('other');
  begun.get('key')?.resolve();
  await first;
  await nextTurn();
  begun.get('key')?.reject(new Error('revoked'));
  await expect(second).rejects.toThrow('revoked');
  await expect(third).rejects.toThrow('revoked');
  begun.get('other')?.resolve();
  expect(await other).toBe('other');
});

test('rejects too many unknown credentials with 429', async () => {
  const { find } = manual();
  const refused = Array.from({ length: 1_003 }, (_, n) => find(`unknown ${n}`)).at(-1);
  await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
});
