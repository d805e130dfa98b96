import { DatabaseError } from 'pg';
import { isLockFailure } from './lock-retries.ts';

/**
 * Returns a sentence for the operator about a migration or script that could not be applied.
 *
 * @param title the subject of the sentence.
 * @param sql the SQL that was executed.
 */
export function explainFailure(title: string, sql: string, error: unknown): string {
  if (!isLockFailure(error)) return `${title} failed: ${explainReason(sql, error)}`;
  return (
    `${title} was not applied, because other sessions hold locks that it needs: in pg_stat_activity, ` +
    'look for the oldest xact_start, end that transaction, and run this again'
  );
}

/** Returns PostgreSQL's message about a failed statement, with the line if PostgreSQL reports it. */
export function explainReason(sql: string, error: unknown): string {
  const { message } = error as Error;
  if (!(error instanceof DatabaseError) || error.position === undefined) return message;
  const before = Array.from(sql).slice(0, Number(error.position) - 1);
  return `${message} (line ${before.filter((character) => character === '\n').length + 1})`;
}
