import { until } from '@deal-signals/test-kit/until';
import { Client } from 'pg';
import type { Scene } from './scene.ts';

/** A lock that stops an app in the middle of its work. Apps wait ten seconds for a lock, so release it earlier. */
export interface Breakpoint {
  /** Waits until this many sessions of an app wait for the lock. */
  untilReached(sessions: number, app: 'worker' | 'api'): Promise<void>;
  /** Releases the lock. */
  release(): Promise<void>;
}

/**
 * Locks the row of the scene's endpoint. Recording an outcome and changing the endpoint's deliveries have to wait. Capturing
 * and claiming continue.
 */
export function holdEndpoint(scene: Scene): Promise<Breakpoint> {
  return hold(scene, `SELECT FROM webhook_endpoints WHERE id = ${scene.endpointId} FOR NO KEY UPDATE`);
}

/** Blocks every claim at its end: the statement that takes deliveries out of the ready queue does not return. */
export async function holdClaims(scene: Scene): Promise<Breakpoint> {
  await scene.db.$executeRaw`
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4); RETURN NEW; END $$`;
  await scene.db.$executeRaw`
    CREATE TRIGGER wait_for_test BEFORE UPDATE ON pending_deliveries FOR EACH ROW
      WHEN (OLD.claim_token IS NULL AND NEW.claim_token IS NOT NULL) EXECUTE FUNCTION wait_for_test()`;
  return hold(scene, 'SELECT pg_advisory_xact_lock(4)');
}

/** Runs a statement and holds its locks until the release. */
async function hold({ databaseUrl, db }: Scene, statement: string): Promise<Breakpoint> {
  const client = new Client({ connectionString: databaseUrl });
  // The scene of a failed test drops the database under this connection.
  client.on('error', () => {});
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement);
  return {
    async untilReached(sessions, app) {
      await until(`${sessions} sessions of the ${app} to wait at the breakpoint`, async () => {
        const [waiting] = await db.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = ${`deal-signals-${app}`}
            AND wait_event_type = 'Lock'`;
        return waiting?.count === sessions;
      });
    },
    async release() {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}
