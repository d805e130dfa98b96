import { DatabaseError } from 'pg';

/**
 * The database responds but must not be used: its session settings are wrong, or it belongs to another encryption key. Waiting
 * does not help. The message is one line that begins with the variable to check.
 */
export class UnusableDatabaseError extends Error {}

/** The database lacks migrations that the code needs. It can be used as soon as they have been applied. */
export class UnmigratedDatabaseError extends Error {}

/**
 * PostgreSQL did not respond: it could not be reached, the connection broke, or it took too long. The cause is the driver's
 * error.
 */
export class ConnectionError extends Error {}

/** The meaning of a database error. */
export interface DatabaseFailure {
  /**
   * `away`: the server cannot be reached or used at all. `busy`: it works, but this statement hit a lock, a time limit, a
   * deadlock or a stale prepared statement. `rejected`: the statement is at fault.
   */
  meaning: 'away' | 'busy' | 'rejected';
  /** Whether the same request may succeed later. */
  isTemporary: boolean;
  /** PostgreSQL's code; undefined if it did not respond. */
  sqlState: string | undefined;
  message: string;
}

/** SQLSTATE of a lock that was not granted within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** SQLSTATE of a write that a server rejects because it is a standby, or was demoted. */
export const READ_ONLY = '25006';
/**
 * SQLSTATEs of a prepared statement that cannot be used any more: a migration has changed the type of a column that it returns,
 * or the server has lost it.
 */
export const STALE_STATEMENTS: readonly string[] = ['0A000', '26000'];

const BUSY = new Set(['57014', LOCK_NOT_AVAILABLE, '40P01', ...STALE_STATEMENTS]);
/**
 * SQLSTATEs of a server that is stopping, starting, overloaded or does not accept the login: connection exceptions, invalid
 * authorization, no such database, insufficient resources, operator intervention, a database closed to connections (55000), a
 * server that accepts no writes, a transaction that the server ended because it was idle or, on a standby, because it conflicted
 * with the replay (40001).
 */
const AWAY = /^(08...|28...|3D000|53...|55000|57...|25006|25P0[34]|40001)$/;

/** Prisma could not begin a transaction in time, or lost the one that was open. */
const TRANSACTION_LOST = 'P2028';

/**
 * Returns the meaning of an error that the driver, its adapter or Prisma's client has thrown.
 *
 * @returns undefined if it is not a database error.
 */
export function databaseFailure(thrown: unknown): DatabaseFailure | undefined {
  if (thrown instanceof ConnectionError) return failure('away', undefined, thrown.message);
  if (thrown instanceof DatabaseError) return ofServer(thrown.code, thrown.message);
  if (property(thrown, 'code') === TRANSACTION_LOST) {
    return failure('away', undefined, String(property(thrown, 'message')));
  }
  // The adapter wraps the driver's error, and Prisma's client passes that on.
  const ofAdapter = property(property(thrown, 'meta'), 'driverAdapterError') ?? thrown;
  const answer = property(ofAdapter, 'cause');
  const sqlState = property(answer, 'originalCode');
  if (typeof sqlState !== 'string') return undefined;
  return ofServer(sqlState, String(property(answer, 'originalMessage')));
}

function ofServer(sqlState: string | undefined, message: string): DatabaseFailure {
  if (sqlState === undefined) return failure('rejected', sqlState, message);
  if (BUSY.has(sqlState)) return failure('busy', sqlState, message);
  return failure(AWAY.test(sqlState) ? 'away' : 'rejected', sqlState, message);
}

function failure(
  meaning: DatabaseFailure['meaning'],
  sqlState: string | undefined,
  message: string,
): DatabaseFailure {
  return { meaning, isTemporary: meaning !== 'rejected', sqlState, message };
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
