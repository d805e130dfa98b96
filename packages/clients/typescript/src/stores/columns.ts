/** The type of a column. `json` is used for every nested value. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'date' | 'uuid' | 'json';

/** A column of a feed's table. */
export interface Column {
  /** The field of the record. */
  field: string;
  /** The field in snake case. */
  name: string;
  type: ColumnType;
}

/** The table that holds the cursors, the workspace id, and the names of the tables that the store created. */
export const STATE_TABLE = 'deal_signals_state';

/** The table that holds the ids of stored webhook events. */
export const EVENTS_TABLE = 'deal_signals_events';

/** How long their ids are kept: much longer than deliveries are retried, except at the request of an admin. */
export const EVENTS_KEPT_MS = 90 * 86_400_000;

/** The row of the state table that names the workspace. */
export const WORKSPACE_STATE = 'workspace';

/** Returns the name of a feed's row in the state table. */
export function cursorState(feed: string): string {
  return `cursor of ${feed}`;
}

/** Quotes a name as an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the last occurrence of each id. */
export function lastById<Item extends { id: string }>(records: readonly Item[]): Item[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
