import { type ClientBase, DatabaseError } from 'pg';
import { LostCommitsError } from '../database-errors.ts';

/** What a server says about itself, next to what the database knows. */
export interface ServerIdentity {
  isStandby: boolean;
  /** As the row of `database_identity` has it; null if there is no row. */
  knownSystem: string | null;
  knownTimeline: number | null;
  system: string | null;
  /** Null on a standby. */
  timeline: number | null;
  /** Whether the row was written by a transaction that it does not name, as when a dump is restored. */
  isRestored: boolean;
  /** Whether the operator has declared that promotions lose no commits. */
  keepCommits: boolean;
  /** Whether the server has received the log from another one since it was started, and so was a standby. */
  hasStreamed: boolean;
}

/** Reads a `ServerIdentity`. It fails in a database without the migrations of `database_identity`. */
export const READ_IDENTITY = `
  SELECT pg_is_in_recovery() AS "isStandby", known.system_identifier AS "knownSystem", known.timeline AS "knownTimeline",
         CASE WHEN known.id IS NOT NULL THEN current_system_identifier() END AS system,
         CASE WHEN known.id IS NOT NULL THEN current_timeline() END AS timeline,
         known.id IS NOT NULL AND known.written_by IS DISTINCT FROM known.xmin::text::bigint AS "isRestored",
         coalesce(known.promotions_keep_commits, false) AS "keepCommits",
         pg_last_wal_receive_lsn() IS NOT NULL AS "hasStreamed"
  FROM (SELECT) AS server LEFT JOIN database_identity AS known ON true`;

/** The codes for a table and for a column that do not exist. */
const UNDEFINED = new Set<unknown>(['42P01', '42703']);

/** Whether `READ_IDENTITY` has failed because the database is not migrated. The check at the start of a process says so. */
export function isUnmigrated(error: unknown): boolean {
  return error instanceof DatabaseError && UNDEFINED.has(error.code);
}

/**
 * What is to be done about the server of a connection: nothing, to record a timeline that may be trusted, or to refuse it.
 *
 * A recovery to a point in time and the promotion of a standby that lacked commits look alike, and neither can be told from the
 * promotion of a standby that had everything: what is lost is lost with whatever could have counted it. So a timeline is
 * only trusted if the operator has declared that promotions lose nothing, and then only that of a server that was a
 * streaming standby. One that was restored from a backup has received nothing from another server.
 *
 * A dump that is restored into the same cluster changes neither. It is told by the row itself, which a restore writes in a
 * transaction of its own.
 */
export function judge(identity: ServerIdentity): 'known' | 'trusted' | 'refused' {
  const { knownSystem, knownTimeline, system, timeline } = identity;
  // A standby is read-only, so nothing gets a position in a feed there.
  if (knownSystem === null || identity.isStandby) return 'known';
  if (system !== knownSystem || identity.isRestored) return 'refused';
  if (timeline === knownTimeline) return 'known';
  return identity.keepCommits && identity.hasStreamed ? 'trusted' : 'refused';
}

/**
 * Checks the server of a new connection before anything uses it. So no process writes to a feed after commits were lost,
 * whichever it is and however late it notices.
 *
 * @returns whether the server is a standby. It may be promoted while the connection lasts.
 * @throws LostCommitsError if commits may have been lost and `advance-feeds` has not run since.
 */
export async function checkServer(client: ClientBase): Promise<{ isStandby: boolean }> {
  const identity = await readIdentity(client);
  if (identity === undefined) return { isStandby: false };
  const verdict = judge(identity);
  if (verdict === 'refused') throw new LostCommitsError(identity);
  // The role of the apps cannot write the row itself.
  if (verdict === 'trusted') await client.query('SELECT record_promotion()');
  return identity;
}

async function readIdentity(client: ClientBase): Promise<ServerIdentity | undefined> {
  try {
    const { rows } = await client.query<ServerIdentity>(READ_IDENTITY);
    return rows[0];
  } catch (error) {
    if (isUnmigrated(error)) return undefined;
    throw error;
  }
}
