/**
 * The database responds and must not be used as it is: it is not migrated, its session settings are wrong, or it belongs
 * to another key. Waiting does not help. The message is one line that begins with the variable to look at.
 */
export class UnusableDatabaseError extends Error {}

/** A read by the driver itself failed. The cause is the driver's error. */
export class ReadError extends Error {
  constructor(cause: unknown) {
    super(`reading from the database: ${String(property(cause, 'message'))}`, { cause });
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
]);

/**
 * SQLSTATEs of a server that is going away, coming back or overloaded: connection exceptions, insufficient resources,
 * operator intervention (this includes a statement cancelled at its time limit), a database closed to connections
 * (55000), a lock that was not granted in time, a transaction that the server ended because it was idle or to resolve a
 * deadlock, a prepared statement that no longer fits (`isStalePreparedStatement`).
 */
const UNAVAILABLE_SQLSTATE = /^(08...|53...|57...|55000|55P03|25P0[34]|40P01|0A000|26000)$/;

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
  if (thrown instanceof ReadError) return isDatabaseUnavailable(thrown.cause);
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

/** Whether a statement failed because another transaction held a lock for longer than `lock_timeout` allows. */
export function isLockTimeout(thrown: unknown): boolean {
  return property(causeInAdapter(thrown), 'originalCode') === '55P03';
}

/**
 * Whether an error of the driver or of its adapter says that a prepared statement cannot be used any more: a migration has changed the type
 * of a column that it returns (`cached plan must not change result type`), or the server no longer knows it.
 */
export function isStalePreparedStatement(thrown: unknown): boolean {
  const sqlState = property(property(thrown, 'cause'), 'originalCode') ?? property(thrown, 'code');
  return sqlState === '0A000' || sqlState === '26000';
}

/** What PostgreSQL said about a statement it refused; undefined for every other error. */
export function messageOfDatabase(thrown: unknown): string | undefined {
  const message = property(causeInAdapter(thrown), 'originalMessage');
  return typeof message === 'string' ? message : undefined;
}

/** The driver adapter's own description of an error, which Prisma passes on with its own. */
function causeInAdapter(thrown: unknown): unknown {
  return property(property(property(thrown, 'meta'), 'driverAdapterError'), 'cause');
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
