import { type Feed, tableOf } from '../feeds/feeds.ts';
import { FEED_COLUMNS } from '../generated/feed-columns.ts';
import type { Column } from './columns.ts';
import { StoreConflict } from './store.ts';
import { VIEWED_FEEDS } from './views.ts';

/** Options for the tables of a store. */
export interface TableOptions {
  /** The prefix of each table name: lower-case letters, digits and underscores, 20 at most. Default: none. */
  prefix?: string | undefined;
  /** The feeds whose tables are created at once, all or none. Others are created when their feed is first read. */
  feeds?: readonly Feed[] | undefined;
  /** Also creates the views of `stores/views`, and the tables that they need. */
  views?: boolean | undefined;
}

/** The definition of a feed's table. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** The column whose greater value marks the newer version of a row; null for rows that never change. */
  version: string | null;
  /** One index for each column that consumers join or sort by. The primary key has its own. */
  indexes: { name: string; column: string }[];
}

const VERSIONS = ['updated_at', 'last_activity_at'];
const INDEXED = ['buyer_space_id', ...VERSIONS, 'erased_at'];
const MAX_PREFIX_CHARACTERS = 20;

/**
 * Validates the prefix of table names.
 * @throws Error
 */
export function validatePrefix(prefix = ''): string {
  if (prefix === '' || (/^[a-z_][a-z0-9_]*$/.test(prefix) && prefix.length <= MAX_PREFIX_CHARACTERS)) {
    return prefix;
  }
  throw new Error(
    `a prefix has lower-case letters, digits and underscores, at most ${MAX_PREFIX_CHARACTERS}; ${prefix} is not valid`,
  );
}

/** Returns what a store creates when it is opened: the requested tables, the tables that the views need, and the views. */
export function initialTables({ feeds, views = false }: TableOptions): {
  feeds: readonly Feed[] | undefined;
  views: boolean;
} {
  return { feeds: views ? [...new Set([...(feeds ?? []), ...VIEWED_FEEDS])] : feeds, views };
}

/** Returns the definition of a feed's table. */
export function feedTable(prefix: string, feed: Feed): Table {
  const name = prefix + tableOf(feed);
  const columns = FEED_COLUMNS[feed];
  const has = (column: string): boolean => columns.some((one) => one.name === column);
  return {
    name,
    columns,
    version: VERSIONS.find(has) ?? null,
    indexes: INDEXED.filter(has).map((column) => ({ name: `${name}_by_${column}`, column })),
  };
}

/** Returns the key in the state table for a table that the store created. The store uses no other tables. */
export function tableState(table: string): string {
  return `table ${table}`;
}

/**
 * Rejects existing tables and views that the store did not create: it would mix its rows with those of others.
 *
 * @param wanted the names of the tables and views.
 * @param existing the names of all existing tables and other objects that would collide with a table name.
 * @throws StoreConflict
 */
export function rejectForeign(
  wanted: readonly string[],
  existing: ReadonlySet<string>,
  own: ReadonlySet<string>,
): void {
  const foreign = wanted.filter((name) => existing.has(name) && !own.has(name));
  if (foreign.length === 0) return;
  const [subject, state] =
    foreign.length === 1 ? ['the table', 'already exists and was'] : ['the tables', 'already exist and were'];
  throw new StoreConflict(
    `${subject} ${foreign.join(', ')} ${state} not created by deal-signals, so nothing was written; ` +
      'use --prefix or, in PostgreSQL, --schema to write to other tables',
  );
}
