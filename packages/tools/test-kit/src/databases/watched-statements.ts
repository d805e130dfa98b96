import type { AdapterTransaction } from '@deal-signals/db/adapter-transaction';
import type { Database } from '@deal-signals/db/database';

/**
 * Returns a database whose transactions over Prisma's adapter, which captures use, call `onStatement` after each statement and
 * wait for it. The last statements are sent one by one, before COMMIT.
 */
export function watchStatements(db: Database, onStatement: () => void | Promise<void>): Database {
  const watched = (tx: AdapterTransaction): AdapterTransaction => {
    async function after<T>(statement: Promise<T>): Promise<T> {
      const result = await statement;
      await onStatement();
      return result;
    }
    return {
      query: (sql) => after(tx.query(sql)),
      $queryRaw: (...parameters) => after(tx.$queryRaw(...parameters)),
      $executeRaw: (...parameters) => after(tx.$executeRaw(...parameters)),
      async commitWith(...statements) {
        for (const statement of statements) await after(tx.$executeRaw(statement));
        await tx.commitWith();
      },
    };
  };
  const queryTransaction: Database['queryTransaction'] = (work) =>
    db.queryTransaction((tx) => work(watched(tx)));
  return { queryTransaction } as Database;
}
