import { createHash } from 'node:crypto';
import { databaseFailure } from '@deal-signals/db/database-errors';

/** A row that could not be rewritten. It contains no names, so it can be logged. */
export interface SkippedRow {
  /** The stage that found the row, which is named after its table. */
  stage: string;
  /** The key of the row; the beginning of its SHA-256 if it is a text that the sender chose. */
  key: string;
  /** The SQLSTATE, or the name of the error. Its message can contain what the row says. */
  error: string;
}

/** Data exceptions, violated constraints and exceeded limits: what a single row can cause. */
const SQL_STATE_OF_ROW = /^(?:22|23|54)/;
const ERRORS_OF_ROW = ['SyntaxError', 'RangeError', 'TypeError'];

/**
 * Writes rows together. If one of them makes that fail, it writes each by itself and reports those that fail.
 *
 * @throws errors that no row causes, such as an outage of the database.
 */
export async function writeRows(
  stage: string,
  keys: string[],
  write: (keys: string[]) => Promise<void>,
  onSkipped: (row: SkippedRow) => void,
): Promise<void> {
  try {
    await write(keys);
  } catch (thrown) {
    const error = errorOfRow(thrown);
    if (error === null) throw thrown;
    const [key, ...others] = keys;
    if (others.length === 0) onSkipped({ stage, key: loggedKey(key!), error });
    else for (const one of keys) await writeRows(stage, [one], write, onSkipped);
  }
}

function errorOfRow(thrown: unknown): string | null {
  const failure = databaseFailure(thrown);
  if (failure !== undefined) {
    return SQL_STATE_OF_ROW.test(failure.sqlState ?? '') ? failure.sqlState! : null;
  }
  // Not `instanceof`, which does not know the errors of another realm.
  const name = (thrown as Partial<Error> | null)?.name ?? '';
  return ERRORS_OF_ROW.includes(name) ? name : null;
}

function loggedKey(key: string): string {
  if (/^[\da-f-]+$/.test(key)) return key;
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}
