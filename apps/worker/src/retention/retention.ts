import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { firstIdAt } from '@deal-signals/db/feeds/position';
import { removeOldDeliveries } from '@deal-signals/deliveries/retention/old-deliveries';
import { removeOldCounts } from './remove-old-counts.ts';

/** The tables that retention removes rows from. */
export const RETENTION_TABLES = [
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_events',
  'audit_records',
] as const;
export type RetentionTable = (typeof RETENTION_TABLES)[number];

/** The dependencies of retention, and how many days rows are kept; 0 for ever. */
export interface RetentionContext {
  db: Database;
  /** Deliveries with their attempts and events, after they were delivered or are dead. */
  retentionDays: number;
  auditRetentionDays: number;
  /** Called with the number of rows of a table that a batch has removed. */
  onRemoved: (table: RetentionTable, rows: number) => void;
  /** Called when a batch fails. Rows that cannot be removed affect only their own workspace. */
  onError: (error: unknown) => void;
}

/** Removes old rows until it is stopped. */
export interface Retention {
  /** Waits for the batch that is being removed. */
  stop(): Promise<void>;
}

/** Rows become old all the time, but their removal is not urgent. */
const ROWS_PAUSE_MS = 3_600_000;
const COUNTS_PAUSE_MS = 60_000;
/** How many times the duration of a batch to rest after it, so removal uses at most a tenth of a process's time. */
const REST = 9;
/** Workspaces that one statement visits. */
const WORKSPACES = 200;
/** Maximum audit records that one statement removes. */
const AUDIT_BATCH = 500;

/** Removes rows that have been kept long enough, workspace by workspace, and counts that are no longer shown. */
export function keepRemoving(context: RetentionContext): Retention {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal });
  const paced: Pace = async (run, ...args) => {
    signal.throwIfAborted();
    const startedMs = performance.now();
    const result = await run(...args);
    await pause(REST * (performance.now() - startedMs));
    return result;
  };

  const onError = (error: unknown): void => {
    if (!signal.aborted) context.onError(error);
  };

  async function repeat(remove: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!signal.aborted) {
      await remove().catch(onError);
      await pause(pauseMs).catch(() => {});
    }
  }

  const removing = Promise.all([
    repeat(() => removeCounts(context.db, paced), COUNTS_PAUSE_MS),
    repeat(() => removeOldRows({ ...context, onError }, paced), ROWS_PAUSE_MS),
  ]);
  return {
    async stop() {
      stopping.abort();
      await removing;
    },
  };
}

/** Runs a statement or a transaction, and rests after it. Throws when retention is stopped. */
type Pace = <Args extends unknown[], T>(run: (...args: Args) => Promise<T>, ...args: Args) => Promise<T>;

async function removeCounts(db: Database, paced: Pace): Promise<void> {
  while ((await paced(removeOldCounts, db)) > 0);
}

/** Removes the old rows of all workspaces. */
export async function removeOldRows(context: RetentionContext, paced: Pace): Promise<void> {
  const { db, retentionDays, auditRetentionDays, onRemoved, onError } = context;

  /** Finds the workspaces with old rows, and removes batches of each until `removeBatch` returns null. */
  async function removeFrom(
    oldest: Prisma.Sql,
    days: number,
    removeBatch: (old: OldRows, cursor: bigint) => Promise<bigint | null>,
  ): Promise<void> {
    if (days === 0) return;
    for (let after: number | null = 0; after !== null;) {
      const visited: VisitedWorkspace[] = await paced(visitWorkspaces, db, oldest, days, after);
      for (const old of visited.filter(({ isOld }) => isOld)) {
        try {
          for (let cursor: bigint | null = 0n; cursor !== null;)
            cursor = await paced(removeBatch, old, cursor);
        } catch (error) {
          onError(error);
        }
      }
      after = visited.length < WORKSPACES ? null : visited.at(-1)!.companyId;
    }
  }

  const deliveries = Prisma.sql`
    SELECT created_at AS at FROM webhook_deliveries WHERE company_id = company.id ORDER BY webhook_deliveries.id LIMIT 1`;
  await removeFrom(deliveries, retentionDays, async (old, from) => {
    const { removed, cursor } = await removeOldDeliveries(db, old, from);
    for (const [table, rows] of Object.entries(removed)) onRemoved(table as keyof typeof removed, rows);
    return cursor;
  });
  const auditRecords = Prisma.sql`
    SELECT at FROM audit_records WHERE company_id = company.id ORDER BY audit_records.id LIMIT 1`;
  await removeFrom(auditRecords, auditRetentionDays, async ({ companyId, before }) => {
    // The worker's role cannot delete audit records, and this function keeps those that are younger than 30 days.
    const [{ removed }] = await db.$queryRaw<[{ removed: number }]>`
      SELECT remove_old_audit_records(${companyId}::int, ${firstIdAt(before)}::bigint, ${AUDIT_BATCH}::int) AS removed`;
    onRemoved('audit_records', removed);
    return removed === AUDIT_BATCH ? 0n : null;
  });
}

/** The rows of a workspace that are removed. */
interface OldRows {
  companyId: number;
  /** Rows from before this time are old. It is a time of the database, because the clock of a worker may be wrong. */
  before: Date;
}

/** A workspace, and whether it has old rows. */
type VisitedWorkspace = OldRows & { isOld: boolean };

/**
 * Visits the next workspaces in id order, and reads one row of each.
 *
 * @param oldest a query of the time of the first row of `company`.
 * @param after only workspaces with a greater id.
 */
function visitWorkspaces(
  db: Database,
  oldest: Prisma.Sql,
  days: number,
  after: number,
): Promise<VisitedWorkspace[]> {
  return db.query(Prisma.sql`
    SELECT company.id AS "companyId", old.before, coalesce(oldest.at < old.before, false) AS "isOld"
    FROM (SELECT id FROM companies WHERE id > ${after} ORDER BY id LIMIT ${WORKSPACES}) AS company
    LEFT JOIN LATERAL (${oldest}) AS oldest ON true
    CROSS JOIN (SELECT statement_timestamp() - make_interval(days => ${days}::int)) AS old (before)
    ORDER BY company.id`);
}
