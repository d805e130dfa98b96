import { expect, test } from '@jest/globals';
import { urlWithPassword } from '../src/read-environment.ts';

test.each([
  ['redis://cache', 'redis://:p%2Fw@cache'],
  ['rediss://cache:6380/2?family=6', 'rediss://:p%2Fw@cache:6380/2?family=6'],
  ['redis://signals@cache', 'redis://signals:p%2Fw@cache'],
  ['redis://signals:@cache', 'redis://signals:p%2Fw@cache'],
  ['redis://one:6379,two:6379/?role=x:y@z', 'redis://:p%2Fw@one:6379,two:6379/?role=x:y@z'],
  ['redis://[::1]:6379', 'redis://:p%2Fw@[::1]:6379'],
])('%s gets the password, percent-encoded', (url, expected) => {
  expect(urlWithPassword(url, 'p/w')).toBe(expected);
});

test('a URL keeps its own password', () => {
  expect(urlWithPassword('redis://signals:own@cache', 'other')).toBe('redis://signals:own@cache');
});

test('without a password, a URL does not change', () => {
  expect(urlWithPassword('redis://cache', undefined)).toBe('redis://cache');
});
