import type { Pool } from 'pg';
import { ReadError } from './database-errors.ts';
import type { Database, Queryable } from './database.ts';
import type { Prisma } from './generated/client.ts';
import { type KnownShapes, ReadQuery } from './read-query.ts';
import type { StatementNames } from './statement-names.ts';

/** What reads of a database outside of transactions need. */
interface Driver {
  pool: Pool;
  /** Undefined if nothing may be prepared. */
  names: StatementNames | undefined;
  onFailure: (error: unknown) => void;
}

const drivers = new WeakMap<Queryable, Driver & { shapes: KnownShapes }>();

/** Lets `readRows` read from a database by its driver. */
export function readBy(db: Database, driver: Driver): void {
  drivers.set(db, { ...driver, shapes: new Map() });
}

/**
 * Runs a query of a hot path by the driver, without the work of Prisma's client around it. Both give the same rows for text,
 * numbers, times, dates, JSON and booleans; bytes are a `Buffer`, and sums and other `numeric` values have to be cast. A query
 * that writes, as those of the worker do, commits by itself. Inside a transaction, it is `$queryRaw`.
 *
 * @throws ReadError, of which `isDatabaseUnavailable` knows what it means.
 */
export async function readRows<T>(db: Queryable, query: Prisma.Sql): Promise<T[]> {
  const driver = drivers.get(db);
  if (driver === undefined) return db.$queryRaw<T[]>(query);
  const { text, values } = query;
  try {
    const name = driver.names?.nameOf({ sql: text, args: values }) ?? '';
    const reading = new ReadQuery(name, text, values, driver.shapes);
    // The pool returns a promise for a query object as well, which its types do not say.
    await (driver.pool.query(reading) as unknown as Promise<unknown>);
    if (reading.failure !== undefined) throw reading.failure;
    return reading.rowsRead as T[];
  } catch (error) {
    driver.onFailure(error);
    throw new ReadError(error);
  }
}
