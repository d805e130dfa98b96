import type { Prisma } from './generated/client.ts';

/**
 * Runs statements: a database, Prisma's client in an interactive transaction, or its adapter alone. All return the same rows for
 * text, numbers, times, dates, JSON, booleans and lists. Sums and other `numeric` values have to be cast.
 */
export interface Queryable {
  query<T>(sql: Prisma.Sql): Promise<T[]>;
  $queryRaw<T>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<T>;
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
}
