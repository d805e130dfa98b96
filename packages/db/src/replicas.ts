import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFailure } from './database-errors.ts';
import { type DatabaseOptions, Database } from './database.ts';
import { assertSession } from './start-up.ts';

export interface ReplicaOptions extends Omit<DatabaseOptions, 'url'> {
  /** Connection URLs of standbys that replicate the primary by streaming. */
  urls: readonly string[];
  /** Called when reads from a replica begin, and when they stop. */
  onChange: (change: ReplicaChange) => void;
}

export interface ReplicaChange {
  /** The host and port of the replica. */
  host: string;
  /** Why the replica is not used; null if it is. */
  problem: string | null;
}

/** The replicas of a primary. */
export interface Replicas {
  /**
   * Runs a read on the next replica in rotation, or on the primary if no replica is current. The read is repeated on the primary
   * if the replica turns out to be unavailable.
   *
   * @param read only reads, and may run twice.
   * @param isDoubtful whether an error may be due to data that the replica does not have yet. Then the primary decides.
   */
  read<T>(read: (db: Database) => Promise<T>, isDoubtful: (error: unknown) => boolean): Promise<T>;
  /** Returns the numbers of used and unused replicas. */
  counts(): { used: number; unused: number };
  close(): Promise<void>;
}

interface Replica {
  db: Database;
  host: string;
  /** The replica has everything that was committed on the primary at this time of the process's clock. */
  currentAsOfMs: number;
  isChecked: boolean;
  /** Undefined before the first check. */
  problem: string | null | undefined;
}

/** The end of the primary's log at a time of the process's clock, or earlier. */
interface Position {
  atMs: number;
  bytes: bigint;
}

/**
 * Maximum lag of a replica that is used. A healthy standby lags by some milliseconds, or by a second or two while it replays a
 * burst. Consumers do not notice a page that is five seconds old.
 */
const MAX_LAG_MS = 5_000;
/** The interval at which the replicas are compared with the primary: `MAX_LAG_MS` is a multiple of it. */
const LOOK_MS = 250;

const PRIMARY = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS bytes,
         (SELECT system_identifier FROM pg_control_system())::text AS system`;
const REPLICA = `
  SELECT pg_is_in_recovery() AS "isStandby",
         pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS bytes,
         (SELECT system_identifier FROM pg_control_system())::text AS system`;

/**
 * Opens the replicas of a primary, and compares them with it continuously.
 *
 * A standby commits in the order of the primary, so it shows the primary's state at an earlier moment, and a cursor is exact on
 * each of them. A cursor from a server that was ahead leads to an empty page.
 *
 * The lag is measured by positions in the log: a replica that has replayed the position at which the primary's log ended at some
 * moment has everything that was committed then. The time of the last replayed transaction would be meaningless on an idle
 * primary, and it comes from the clock of another machine. A replica that is cut off does not count as current, because the
 * position to compare with comes from the primary itself.
 */
export function openReplicas(primary: Database, { urls, onChange, ...options }: ReplicaOptions): Replicas {
  const replicas = urls.map((url): Replica => ({
    db: new Database({ ...options, url }),
    host: new URL(url).host,
    currentAsOfMs: Number.NEGATIVE_INFINITY,
    isChecked: false,
    problem: undefined,
  }));
  let positions: Position[] = [];
  let system: string | undefined;
  let turn = 0;
  const closing = new AbortController();

  const lagOf = ({ currentAsOfMs }: Replica) => performance.now() - currentAsOfMs;
  const isUsed = (replica: Replica) => replica.problem === null && lagOf(replica) <= MAX_LAG_MS;

  async function lookAtPrimary(): Promise<void> {
    // Read before the position, so that everything committed by this time is before the position.
    const atMs = performance.now();
    const [row] = await primary.askAlone<{ bytes: string; system: string }>(PRIMARY);
    if (row === undefined) return;
    system = row.system;
    positions = [
      { atMs, bytes: BigInt(row.bytes) },
      ...positions.filter((position) => atMs - position.atMs <= MAX_LAG_MS),
    ];
  }

  /** @returns why the replica must not be used; null if it may. */
  async function problemOf(replica: Replica): Promise<string | null> {
    const [row] = await replica.db.askAlone<{ isStandby: boolean; bytes: string | null; system: string }>(
      REPLICA,
    );
    if (row === undefined || !row.isStandby || row.bytes === null) return 'it is not a standby';
    if (system !== undefined && row.system !== system) return 'it is not a standby of this primary';
    if (!replica.isChecked) await assertSession(replica.db);
    replica.isChecked = true;
    const replayed = BigInt(row.bytes);
    const reached = positions.find(({ bytes }) => bytes <= replayed);
    if (reached !== undefined) replica.currentAsOfMs = Math.max(replica.currentAsOfMs, reached.atMs);
    return lagOf(replica) <= MAX_LAG_MS ? null : `it lags behind the primary by more than ${MAX_LAG_MS} ms`;
  }

  async function lookAt(replica: Replica): Promise<void> {
    const problem = await problemOf(replica).catch((error: unknown) => (error as Error).message);
    const wasUsed = replica.problem === null;
    const isNews = replica.problem === undefined || wasUsed !== (problem === null);
    replica.problem = problem;
    if (isNews && !closing.signal.aborted) onChange({ host: replica.host, problem });
  }

  async function keepLooking(): Promise<void> {
    while (!closing.signal.aborted) {
      // Without the primary, a replica counts as current until the maximum lag has passed.
      await lookAtPrimary().catch(() => {});
      await Promise.all(replicas.map(lookAt));
      await sleep(LOOK_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  const looking = replicas.length === 0 ? Promise.resolve() : keepLooking();
  return {
    async read(read, isDoubtful) {
      const used = replicas.filter(isUsed);
      turn += 1;
      const replica = used[turn % used.length];
      if (replica === undefined) return read(primary);
      try {
        return await read(replica.db);
      } catch (error) {
        if (databaseFailure(error)?.isTemporary) {
          // Not current until the next successful check.
          replica.currentAsOfMs = Number.NEGATIVE_INFINITY;
        } else if (!isDoubtful(error)) throw error;
        return read(primary);
      }
    },
    counts() {
      const used = replicas.filter(isUsed).length;
      return { used, unused: replicas.length - used };
    },
    async close() {
      closing.abort();
      await looking;
      await Promise.all(replicas.map(({ db }) => db.close()));
    },
  };
}
