import { randomUUID } from 'node:crypto';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { Client, type QueryResultRow } from 'pg';

/** A database that was never migrated. */
export interface EmptyDatabase {
  readonly name: string;
  readonly url: string;
  /** Runs a statement on a connection of its own to this database. */
  query<T extends QueryResultRow>(statement: string, values?: unknown[]): Promise<T[]>;
  /** Drops the database, even while sessions are connected. */
  drop(): Promise<void>;
}

/** Creates an empty database on the server of the test run. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const { postgresUrl } = currentTestRun();
  const name = `empty_${randomUUID().slice(0, 8)}`;
  await queryOnce(postgresUrl, `CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    query: (statement, values) => queryOnce(url.href, statement, values),
    async drop() {
      await queryOnce(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function queryOnce<T extends QueryResultRow>(
  url: string,
  statement: string,
  values?: unknown[],
): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
