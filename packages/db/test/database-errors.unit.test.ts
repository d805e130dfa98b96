import { expect, test } from '@jest/globals';
import { DatabaseError } from 'pg';
import { ConnectionError, databaseFailure } from '../src/database-errors.ts';

/** Returns the meaning of a SQLSTATE, as the driver throws it, and as Prisma's client passes it on. */
function meaningsOf(sqlState: string): unknown[] {
  const ofDriver = Object.assign(new DatabaseError('refused', 0, 'error'), { code: sqlState });
  const ofClient = Object.assign(new Error('raw query failed'), {
    code: 'P2010',
    meta: {
      driverAdapterError: { cause: { kind: 'postgres', originalCode: sqlState, originalMessage: 'refused' } },
    },
  });
  return [ofDriver, ofClient].map(databaseFailure);
}

function failure(meaning: string, isTemporary: boolean, sqlState: string) {
  const same = { meaning, isTemporary, sqlState, message: 'refused' };
  return [same, same];
}

test.each([
  ['read_only_sql_transaction', '25006'],
  ['admin_shutdown', '57P01'],
  ['crash_shutdown', '57P02'],
  ['cannot_connect_now', '57P03'],
  ['connection_failure', '08006'],
  ['sqlserver_rejected_establishment_of_sqlconnection', '08004'],
  ['invalid_password', '28P01'],
  ['invalid_catalog_name', '3D000'],
  ['too_many_connections', '53300'],
  ['out_of_memory', '53200'],
  ['a conflict with the replay of a standby', '40001'],
])('%s (%s) means that the server cannot be used', (_name, sqlState) => {
  expect(meaningsOf(sqlState)).toEqual(failure('away', true, sqlState));
});

test.each([
  ['query_canceled', '57014'],
  ['lock_not_available', '55P03'],
  ['deadlock_detected', '40P01'],
  ['a plan that returns another type', '0A000'],
  ['a prepared statement that is not known', '26000'],
])('%s (%s) means that the server works and the same request may succeed later', (_name, sqlState) => {
  expect(meaningsOf(sqlState)).toEqual(failure('busy', true, sqlState));
});

test.each(['23505', '42P01', '22003', '25001'])('%s is a fault in a statement', (sqlState) => {
  expect(meaningsOf(sqlState)).toEqual(failure('rejected', false, sqlState));
});

test('a server that does not respond, and a transaction that Prisma has lost, mean that the server cannot be used', () => {
  const lost = Object.assign(new Error('expired'), { code: 'P2028' });
  for (const error of [new ConnectionError('timeout expired'), lost]) {
    expect(databaseFailure(error)).toMatchObject({ meaning: 'away', isTemporary: true, sqlState: undefined });
  }
});

test('returns undefined for other errors', () => {
  const others = [new TypeError('no'), Object.assign(new Error('no'), { code: 'P2025' }), 'no', null];
  expect(others.map(databaseFailure)).toEqual([undefined, undefined, undefined, undefined]);
});
