import { expect, test } from '@jest/globals';
import { isDatabaseUrl, leadsToPooler } from '../src/database-url.ts';

test.each([
  'postgresql://user:p%40ss@db.example:5433/deals?sslmode=verify-full',
  'postgres://[::1]/deals',
  // A comma in a password separates no hosts.
  'postgres://u:a,b@one/deals',
])('%s is a connection URL', (url) => {
  expect(isDatabaseUrl(url)).toBe(true);
});

test.each(['mysql://one/deals', 'one', 'postgresql://one,two/deals', 'postgresql://one:70000/deals'])(
  'rejects %s',
  (url) => {
    expect(isDatabaseUrl(url)).toBe(false);
  },
);

test('the parameter pgbouncer=true marks a pooler that cannot carry prepared statements', () => {
  expect(leadsToPooler('postgresql://one/deals?pgbouncer=true')).toBe(true);
  expect(leadsToPooler('postgresql://one/deals?pgbouncer=false')).toBe(false);
  expect(leadsToPooler('postgresql://one/deals')).toBe(false);
});
