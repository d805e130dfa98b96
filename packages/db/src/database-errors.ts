/** What the driver adapter calls the failures in which the database itself cannot be used. */
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
 * operator intervention (a cancelled statement is one, so a statement that ran into its time limit counts), a lock that
 * was not to be had in time, a transaction the server ended for being idle or for the sake of another one (deadlock).
 */
const UNAVAILABLE_SQLSTATE = /^(08...|53...|57...|55P03|25P0[34]|40P01)$/;

/** The driver and its pool give these no code: their message is all there is. */
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

/** Prisma could not begin a transaction in time, or lost the one that was open. */
const TRANSACTION_LOST = 'P2028';

/**
 * Whether an error means that the database cannot be used at the moment, so that the same request may well succeed
 * later; as opposed to a fault in a statement.
 */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (property(thrown, 'code') === TRANSACTION_LOST) return true;
  if (UNAVAILABLE_MESSAGES.has(property(thrown, 'message'))) return true;
  const cause = property(property(property(thrown, 'meta'), 'driverAdapterError'), 'cause');
  const sqlState = property(cause, 'originalCode');
  return (
    UNAVAILABLE_KINDS.has(property(cause, 'kind')) ||
    (typeof sqlState === 'string' && UNAVAILABLE_SQLSTATE.test(sqlState))
  );
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
