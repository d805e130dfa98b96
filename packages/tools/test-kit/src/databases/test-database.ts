import { randomBytes } from 'node:crypto';
import { Database } from '@deal-signals/db/database';
import { Client } from 'pg';
import { currentTestRun } from '../test-run.ts';

export interface TestDatabase {
  /** Connection URL, for apps under test. */
  readonly url: string;
  readonly db: Database;
  /** Closes `db` and drops the database, even if other clients are still connected to it. */
  drop(): Promise<void>;
}

const POOL_SIZE = 10;
/**
 * Limits of the test's own connections. On a busy machine a million rows take minutes, and writers that take turns wait for
 * each other much longer than an app would.
 */
export const TEST_LIMITS = { statementTimeoutMs: 600_000, acquireTimeoutMs: 60_000, lockTimeoutMs: 600_000 };

/** Creates an empty, migrated database for one test file by cloning the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { postgresUrl, templateDatabase } = currentTestRun();
  const name = `test_${randomBytes(6).toString('hex')}`;
  // For a small template that does not change, copying files is faster than writing its pages to the WAL.
  await onServer(postgresUrl, `CREATE DATABASE ${name} TEMPLATE ${templateDatabase} STRATEGY file_copy`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const db = new Database({
    url: url.href,
    poolSize: POOL_SIZE,
    applicationName: 'test',
    ...TEST_LIMITS,
  });
  return {
    url: url.href,
    db,
    async drop() {
      await db.close();
      await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
