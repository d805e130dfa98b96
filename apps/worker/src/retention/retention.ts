import type { Database } from '@deal-signals/db/database';
import {
  findOldDeliveries,
  type OldDeliveries,
  removeOldDeliveries,
} from '@deal-signals/deliveries/retention/old-deliveries';
import { findOldAuditRecords, type OldAuditRecords, removeOldAuditRecords } from './old-audit-records.ts';

/** The tables that retention removes rows from. */
export const RETENTION_TABLES = [
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_events',
  'audit_records',
] as const;
export type RetentionTable = (typeof RETENTION_TABLES)[number];

/** How many days rows are kept; 0 for ever. */
export interface RetentionSettings {
  /** Deliveries with their attempts and events, after they were delivered or are dead. */
  retentionDays: number;
  auditRetentionDays: number;
}

/** The dependencies of retention. */
export interface RetentionContext extends RetentionSettings {
  db: Database;
  /** Called with the number of rows of a table that a batch has removed. */
  onRemoved: (table: RetentionTable, rows: number) => void;
  /** The pause after a pass; an hour by default. */
  pauseMs?: number;
}

/** Removes rows that have been kept long enough. */
export interface Retention {
  /**
   * Removes batches for about `budgetMs`, at least one, and continues where the last call ended. It returns at once during the
   * pause after a pass, and for nine times as long as the last call took, so removal uses at most a tenth of a process's time.
   *
   * @throws Error if a batch fails. The next call continues with the next workspace, so rows that cannot be removed affect only
   *   their own workspace. If the workspaces cannot be read, the next call begins a new pass.
   */
  run(budgetMs: number): Promise<void>;
}

/** Rows become old all the time, but their removal is not urgent. */
const PAUSE_MS = 3_600_000;
/** How many times the duration of a call to rest after it. */
const REST = 9;
/** Workspaces that one statement visits. */
const WORKSPACES = 200;

/** Creates the removal of old rows, workspace by workspace. */
export function createRetention(context: RetentionContext): Retention {
  const { pauseMs = PAUSE_MS } = context;
  let pass: Pass | null = null;
  let resumeAtMs = 0;
  return {
    async run(budgetMs) {
      const startedMs = performance.now();
      if (startedMs < resumeAtMs) return;
      pass ??= removeOldRows(context);
      const current = pass;
      // If the pass itself fails, it ends.
      pass = null;
      let step: IteratorResult<Step, void>;
      do {
        step = await current.next();
      } while (step.value === undefined && !step.done && performance.now() < startedMs + budgetMs);
      if (!step.done) pass = current;
      const endedMs = performance.now();
      resumeAtMs = endedMs + (step.done ? pauseMs : REST * (endedMs - startedMs));
      if (step.value !== undefined) throw step.value.failure;
    },
  };
}

/** A pass through all workspaces. It yields after each statement or transaction, so that its caller can stop or continue. */
type Pass = AsyncGenerator<Step, void>;
/** The result of a statement or transaction: undefined, unless it failed. */
type Step = { failure: unknown } | undefined;

async function* removeOldRows(context: RetentionContext): Pass {
  if (context.retentionDays > 0) yield* removeDeliveries(context);
  if (context.auditRetentionDays > 0) yield* removeAuditRecords(context);
}

/** Yields the failure of a workspace instead of ending the pass, so that the other workspaces still have their turn. */
async function* reportFailure(workspace: AsyncGenerator<undefined, void>): Pass {
  try {
    yield* workspace;
  } catch (failure) {
    yield { failure };
  }
}

async function* removeDeliveries(context: RetentionContext): Pass {
  const { db, retentionDays } = context;
  for (let after: number | null = 0; after !== null;) {
    const { found, last } = await findOldDeliveries(db, retentionDays, after, WORKSPACES);
    yield;
    for (const old of found) yield* reportFailure(removeWorkspaceDeliveries(old, context));
    after = last;
  }
}

async function* removeWorkspaceDeliveries(
  old: OldDeliveries,
  { db, onRemoved }: RetentionContext,
): AsyncGenerator<undefined, void> {
  for (let cursor: bigint | null = 0n; cursor !== null;) {
    const batch = await removeOldDeliveries(db, old, cursor);
    for (const table of ['webhook_deliveries', 'webhook_attempts', 'webhook_events'] as const) {
      onRemoved(table, batch.removed[table]);
    }
    cursor = batch.cursor;
    yield;
  }
}

async function* removeAuditRecords(context: RetentionContext): Pass {
  const { db, auditRetentionDays } = context;
  for (let after: number | null = 0; after !== null;) {
    const { found, last } = await findOldAuditRecords(db, auditRetentionDays, after, WORKSPACES);
    yield;
    for (const old of found) yield* reportFailure(removeWorkspaceAuditRecords(old, context));
    after = last;
  }
}

async function* removeWorkspaceAuditRecords(
  old: OldAuditRecords,
  { db, onRemoved }: RetentionContext,
): AsyncGenerator<undefined, void> {
  for (let hasMore = true; hasMore;) {
    const batch = await removeOldAuditRecords(db, old);
    onRemoved('audit_records', batch.removed);
    ({ hasMore } = batch);
    yield;
  }
}
