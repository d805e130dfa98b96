import { type ColumnType, ColumnTypeEnum, type Transaction } from '@prisma/driver-adapter-utils';
import { Prisma } from './generated/client.ts';
import type { Queryable } from './queryable.ts';

/** A transaction over Prisma's adapter. */
export interface AdapterTransaction extends Queryable {
  /** Runs the last statements and commits, all in one round trip. No statement may follow. */
  commitWith(...statements: Prisma.Sql[]): Promise<void>;
}

type Convert = (value: never) => unknown;

/** Converts the values of Prisma's adapter to those of Prisma's client. */
const CONVERTERS = new Map<ColumnType, Convert>([
  [ColumnTypeEnum.Int64, BigInt],
  [ColumnTypeEnum.Int64Array, (list: string[]) => list.map(BigInt)],
  [ColumnTypeEnum.DateTime, (text: string) => new Date(text)],
  [ColumnTypeEnum.Date, (text: string) => new Date(text)],
  [ColumnTypeEnum.Json, JSON.parse],
]);

const COMMIT = Prisma.sql`COMMIT`;
const ROLLBACK = Prisma.sql`ROLLBACK`;

/**
 * Runs `work` in a transaction that has begun in Prisma's adapter. It commits when `work` returns, unless `work` has committed it
 * already, and rolls back if `work` throws.
 */
export async function runAdapterTransaction<T>(
  transaction: Transaction,
  work: (tx: AdapterTransaction) => Promise<T>,
): Promise<T> {
  const execute = (sql: Prisma.Sql) => transaction.executeRaw(statementOf(sql));
  let isCommitted = false;
  const tx: AdapterTransaction = {
    query: async <R>(sql: Prisma.Sql) => {
      const { columnNames, columnTypes, rows } = await transaction.queryRaw(statementOf(sql));
      const converters = columnTypes.map((type) => CONVERTERS.get(type));
      return rows.map((row) => {
        const entries = columnNames.map((name, n) => {
          const convert = converters[n];
          const value = row[n];
          return [name, value === null || convert === undefined ? value : convert(value as never)] as const;
        });
        return Object.fromEntries(entries) as R;
      });
    },
    $queryRaw: <R>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      tx.query(sqlOf(query, values)) as Promise<R>,
    $executeRaw: (query, ...values) => execute(sqlOf(query, values)),
    async commitWith(...statements) {
      // After a failed statement, COMMIT rolls back.
      await Promise.all([...statements, COMMIT].map(execute));
      isCommitted = true;
    },
  };
  try {
    const result = await work(tx);
    if (!isCommitted) await tx.commitWith();
    await transaction.commit();
    return result;
  } catch (error) {
    // If the connection is broken, the server rolls back, and the pool discards the connection.
    await execute(ROLLBACK).catch(() => {});
    await transaction.rollback();
    const { cause } = error as { cause?: { originalMessage?: unknown } };
    // The adapter's own message is only an error class.
    if (typeof cause?.originalMessage === 'string') (error as Error).message = cause.originalMessage;
    throw error;
  }
}

function sqlOf(query: TemplateStringsArray | Prisma.Sql, values: unknown[]): Prisma.Sql {
  return query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
}

function statementOf({ text, values }: Prisma.Sql) {
  const argTypes = values.map((value) => ({
    scalarType: 'unknown' as const,
    arity: Array.isArray(value) ? ('list' as const) : ('scalar' as const),
  }));
  return { sql: text, args: values, argTypes };
}
