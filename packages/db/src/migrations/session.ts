import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { leadsToPooler } from '../database-url.ts';
import { SESSION } from '../session.ts';

/** The advisory lock of Prisma's schema engine, so that its commands and this one exclude each other. */
const LOCK_ID = 72_707_369;
const LOCK_PAUSE_MS = 200;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * Connects for migrations. It needs a dedicated session on the server: behind a pooler in transaction mode, the lock would belong
 * to a shared session, and two migrations could run at once.
 *
 * @throws Error with one sentence about why the database cannot be reached.
 */
export async function connect(databaseUrl: string): Promise<Client> {
  if (leadsToPooler(databaseUrl)) {
    throw new Error(
      'The database cannot be migrated through a pooler: give migrations a DATABASE_URL of PostgreSQL itself, without pgbouncer=true',
    );
  }
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'deal-signals-migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  });
  // A lost connection rejects the running query. Without a listener it would also end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    throw new Error(`The database cannot be reached: ${connectionProblem(error)}`, { cause: error });
  }
}

/** Returns the reason for a failed connection. A host name with several addresses fails with an error for each, and no message. */
export function connectionProblem(error: unknown): string {
  const { message, errors } = error as Partial<AggregateError>;
  return Array.isArray(errors) ? errors.map(connectionProblem).join('; ') : String(message);
}

/** Overrides settings of the URL, the role or the database. */
export async function setUpSession(client: Client): Promise<void> {
  const settings = Object.entries({ ...SESSION, statement_timeout: '0' });
  await client.query(settings.map(([name, value]) => `SET ${name} = '${value}'`).join('; '));
}

/** Sets the maximum wait of the following statements for a lock; 0 means no limit. */
export async function setLockTimeout(client: Client, timeoutMs: number): Promise<void> {
  await client.query(`SELECT set_config('lock_timeout', $1, false)`, [String(timeoutMs)]);
}

/**
 * Takes the lock of migrations, which belongs to the session and ends with it. It polls instead of waiting in the server: a
 * waiting statement has a snapshot, and a migration that builds an index concurrently would wait for the end of it.
 *
 * @throws Error when another migration still holds the lock after this time.
 */
export async function takeLock(client: Client, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await tryLock(client))) {
    if (performance.now() >= endMs) {
      throw new Error(
        `Another migration of this database still runs after ${timeoutMs / 1_000} s: wait for it to end, then try again`,
      );
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isTaken: boolean }>('SELECT pg_try_advisory_lock($1) AS "isTaken"', [
    LOCK_ID,
  ]);
  return rows[0]?.isTaken === true;
}
