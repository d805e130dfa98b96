/**
 * The database responds and must not be used as it is: its session settings are wrong, or it belongs to another key. Waiting does not help. The message is one line that begins with the variable to look at.
 */
export class UnusableDatabaseError extends Error {}

/** The database lacks migrations that the code needs. It can be used as soon as they have been applied. */
export class UnmigratedDatabaseError extends Error {}

/** A statement that the driver itself ran failed. The cause is the driver's error. */
export class QueryError extends Error {
  constructor(cause: unknown) {
    super(`from the database: ${String(property(cause, 'message'))}`, { cause });
  }
}

/** The driver adapter's names for the failures that make the database itself unusable. */
const UNAVAILABLE_KINDS = new Set<unknown>([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'DatabaseDoesNotExist',
  'DatabaseAccessDenied',
  'AuthenticationFailed',
  'TransactionWriteConflict',
]);

/**
 * SQLSTATEs of a server that is going away, coming back or overloaded: connection exceptions, insufficient resources,
 * operator intervention (this includes a statement cancelled at its time limit), a database closed to connections
 * (55000), a server that accepts no writes, because it is a standby or was demoted (25006), a lock that was not granted in
 * time, a transaction that the server ended because it was idle, to resolve a deadlock or, on a standby, to replay what it
 * conflicts with (40001), a prepared statement that no longer fits (`isStalePreparedStatement`).
 */
const UNAVAILABLE_SQLSTATE = /^(08...|53...|57...|55000|55P03|25006|25P0[34]|40001|40P01|0A000|26000)$/;
/** SQLSTATE of a write in a read-only transaction. */
const READ_ONLY = '25006';

/** The driver and its pool give these no code, only a message. */
const UNAVAILABLE_MESSAGES = new Set<unknown>([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

/**
 * How Node words a failure of the network or the name service. The driver adapter has a kind for only a few of them, and
 * the code alone does not tell a missing socket from a missing certificate file.
 */
const SOCKET_FAILURE = /^(connect|getaddrinfo|read|write) E[A-Z_]+/m;

/** Prisma could not begin a transaction in time, or lost the one that was open. */
const TRANSACTION_LOST = 'P2028';

/**
 * Whether an error means that the database is unavailable at the moment, so that the same request may succeed later, as
 * opposed to a fault in a statement.
 */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (thrown instanceof QueryError) return isDatabaseUnavailable(thrown.cause);
  if (property(thrown, 'code') === TRANSACTION_LOST) return true;
  const message = property(thrown, 'message');
  if (UNAVAILABLE_MESSAGES.has(message)) return true;
  const cause = causeInAdapter(thrown);
  if (cause === undefined) {
    // The driver's own error.
    const code = property(thrown, 'code');
    if (typeof code === 'string' && UNAVAILABLE_SQLSTATE.test(code)) return true;
    return typeof message === 'string' && SOCKET_FAILURE.test(message);
  }
  const sqlState = property(cause, 'originalCode');
  return (
    UNAVAILABLE_KINDS.has(property(cause, 'kind')) ||
    (typeof sqlState === 'string' && UNAVAILABLE_SQLSTATE.test(sqlState))
  );
}

/** SQLSTATEs of a server that works: a time limit, a lock, a deadlock, or a prepared statement that no longer fits. */
const SERVER_RESPONDS = new Set<unknown>(['57014', '55P03', '40P01', '0A000', '26000']);

/**
 * Whether an error belongs to an outage: the server cannot be reached or used at all, as opposed to one statement that took
 * too long or met a lock.
 */
export function isOutage(thrown: unknown): boolean {
  if (thrown instanceof QueryError) return isOutage(thrown.cause);
  const sqlState = property(causeInAdapter(thrown), 'originalCode') ?? property(thrown, 'code');
  return isDatabaseUnavailable(thrown) && !SERVER_RESPONDS.has(sqlState);
}

/** Whether a statement failed because another transaction held a lock for longer than `lock_timeout` allows. */
export function isLockTimeout(thrown: unknown): boolean {
  return property(causeInAdapter(thrown), 'originalCode') === '55P03';
}

/**
 * Whether an error of the driver or of its adapter says that a prepared statement cannot be used any more: a migration has changed the type
 * of a column that it returns (`cached plan must not change result type`), or the server no longer knows it.
 */
export function isStalePreparedStatement(thrown: unknown): boolean {
  const sqlState = sqlStateInDriver(thrown);
  return sqlState === '0A000' || sqlState === '26000';
}

/** SQLSTATEs of a table, column, function or type that does not exist. */
const SCHEMA_SQLSTATE = /^(42P01|42703|42883|42704)$/;

/** Whether an error of the driver or of its adapter says that the schema lacks what a statement names. */
export function isSchemaFailure(thrown: unknown): boolean {
  const sqlState = sqlStateInDriver(thrown);
  return typeof sqlState === 'string' && SCHEMA_SQLSTATE.test(sqlState);
}

/** Whether an error of the driver or of its adapter says that the server accepts no writes: it is a standby, or was demoted. */
export function isReadOnlyServer(thrown: unknown): boolean {
  return sqlStateInDriver(thrown) === READ_ONLY;
}

function sqlStateInDriver(thrown: unknown): unknown {
  return property(property(thrown, 'cause'), 'originalCode') ?? property(thrown, 'code');
}

/** What PostgreSQL said about a statement it refused; undefined for every other error. */
export function messageOfDatabase(thrown: unknown): string | undefined {
  const message = property(causeInAdapter(thrown), 'originalMessage');
  return typeof message === 'string' ? message : undefined;
}

/** The driver adapter's own description of an error, which Prisma passes on with its own. */
function causeInAdapter(thrown: unknown): unknown {
  // Before Prisma has taken it, the error is the adapter's own.
  if (property(thrown, 'name') === 'DriverAdapterError') return property(thrown, 'cause');
  return property(property(property(thrown, 'meta'), 'driverAdapterError'), 'cause');
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
