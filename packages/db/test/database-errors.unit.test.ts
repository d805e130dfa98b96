import { expect, test } from '@jest/globals';
import { isDatabaseUnavailable, isReadOnlyServer, QueryError } from '../src/database-errors.ts';

/** An error with a SQLSTATE, as the driver throws it, and as Prisma's client passes it on. */
function errorsOf(sqlState: string): unknown[] {
  const ofDriver = Object.assign(new Error('refused'), { code: sqlState });
  const ofAdapter = { cause: { kind: 'postgres', originalCode: sqlState, originalMessage: 'refused' } };
  const ofClient = Object.assign(new Error('raw query failed'), {
    code: 'P2010',
    meta: { driverAdapterError: ofAdapter },
  });
  return [ofDriver, new QueryError(ofDriver), ofClient];
}

test.each([
  ['read_only_sql_transaction', '25006'],
  ['admin_shutdown', '57P01'],
  ['crash_shutdown', '57P02'],
  ['cannot_connect_now', '57P03'],
  ['connection_failure', '08006'],
  ['sqlserver_rejected_establishment_of_sqlconnection', '08004'],
  ['too_many_connections', '53300'],
  ['out_of_memory', '53200'],
  ['a conflict with the replay of a standby', '40001'],
])('%s (%s) means that the same request may succeed later', (_name, sqlState) => {
  expect(errorsOf(sqlState).map(isDatabaseUnavailable)).toEqual([true, true, true]);
});

test.each(['23505', '42P01', '22003', '25001'])('%s is a fault in a statement', (sqlState) => {
  expect(errorsOf(sqlState).map(isDatabaseUnavailable)).toEqual([false, false, false]);
});

test('only a read-only server is taken for one', () => {
  const [ofDriver] = errorsOf('25006');
  expect(isReadOnlyServer(ofDriver)).toBe(true);
  expect(isReadOnlyServer({ cause: { originalCode: '25006' } })).toBe(true);
  expect(isReadOnlyServer({ cause: { originalCode: '57P01' } })).toBe(false);
});
