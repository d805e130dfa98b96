import { expect, test } from '@jest/globals';
import { parseDatabaseUrl } from '../src/connections/database-url.ts';

test('a URL of one host is used as it is', () => {
  const url = 'postgresql://user:p%40ss@db.example:5433/deals?sslmode=verify-full';
  expect(parseDatabaseUrl(url)).toEqual({ urls: [url], mustAcceptWrites: false, isPooled: false });
});

test.each([
  [
    'postgres://u:p%2C%40@one:5432,two,[::1]:5433/deals?sslmode=require',
    [
      'postgres://u:p%2C%40@one:5432/deals?sslmode=require',
      'postgres://u:p%2C%40@two/deals?sslmode=require',
      'postgres://u:p%2C%40@[::1]:5433/deals?sslmode=require',
    ],
  ],
  // A comma in a password separates no hosts.
  ['postgres://u:a,b@one,two/deals', ['postgres://u:a,b@one/deals', 'postgres://u:a,b@two/deals']],
  [
    'postgresql://one,two/deals?target_session_attrs=read-write',
    [
      'postgresql://one/deals?target_session_attrs=read-write',
      'postgresql://two/deals?target_session_attrs=read-write',
    ],
  ],
  [
    'postgresql://one/deals?target_session_attrs=primary',
    ['postgresql://one/deals?target_session_attrs=primary'],
  ],
])('%s leads to the host that accepts writes', (url, urls) => {
  expect(parseDatabaseUrl(url)).toEqual({ urls, mustAcceptWrites: true, isPooled: false });
});

test('a pooler that cannot carry prepared statements is known by its parameter', () => {
  expect(parseDatabaseUrl('postgresql://one,two/deals?pgbouncer=true')).toMatchObject({ isPooled: true });
  expect(parseDatabaseUrl('postgresql://one/deals?pgbouncer=false')).toMatchObject({ isPooled: false });
});

test.each([
  'mysql://one/deals',
  'one,two',
  'postgresql://one,/deals',
  'postgresql://one,two:port/deals',
  'postgresql://one:70000,two/deals',
  // Nothing works on a standby.
  'postgresql://one,two/deals?target_session_attrs=standby',
  'postgresql://one,two/deals?target_session_attrs=any',
])('%s is refused', (url) => {
  expect(parseDatabaseUrl(url)).toBeNull();
});
