import { type Feed, tableOf } from '../feeds/feeds.ts';
import { FEED_COLUMNS } from '../generated/feed-columns.ts';
import type { Column } from './columns.ts';
import { StoreConflict } from './store.ts';
import { VIEWED_FEEDS } from './views.ts';

/** Which tables a store uses. */
export interface TableOptions {
  /** What the name of each table begins with: small letters, digits and underscores, 20 at most. Default: nothing. */
  prefix?: string | undefined;
  /** The feeds whose tables are made at once: all of them, or none. Others are made when their feed is first read. */
  feeds?: readonly Feed[] | undefined;
  /** Makes the views of `stores/views` as well, and the tables that they need. */
  views?: boolean | undefined;
}

/** A table of a store, and what it is to have. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** The column whose greater value is the newer version of a row; null for rows that never change. */
  version: string | null;
  /** One for each column that a consumer joins by or sorts by. The primary key has its own. */
  indexes: { name: string; column: string }[];
}

const VERSIONS = ['updated_at', 'last_activity_at'];
const INDEXED = ['buyer_space_id', ...VERSIONS, 'erased_at'];
const MAX_PREFIX_CHARACTERS = 20;

/**
 * Checks a prefix.
 * @throws Error
 */
export function checkedPrefix(prefix = ''): string {
  if (prefix === '' || (/^[a-z_][a-z0-9_]*$/.test(prefix) && prefix.length <= MAX_PREFIX_CHARACTERS)) {
    return prefix;
  }
  throw new Error(
    `a prefix is small letters, digits and underscores, ${MAX_PREFIX_CHARACTERS} at most, but not ${prefix}`,
  );
}

/** Creates the tables that are requested, those that the views need, and the views, when a store is opened. */
export function atOnce({ feeds, views = false }: TableOptions): {
  feeds: readonly Feed[] | undefined;
  views: boolean;
} {
  return { feeds: views ? [...new Set([...(feeds ?? []), ...VIEWED_FEEDS])] : feeds, views };
}

/** The table of a feed. */
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

/** The name in the state of a table that the store has made. Nothing else is its own. */
export function tableState(table: string): string {
  return `table ${table}`;
}

/**
 * Rejects existing tables and views that the store did not create: it would mix its rows with those of others.
 *
 * @param wanted the names of the tables and views.
 * @param existing the names of tables and all else that a table cannot have the name of.
 * @throws StoreConflict
 */
export function refuseForeign(
  wanted: readonly string[],
  existing: ReadonlySet<string>,
  own: ReadonlySet<string>,
): void {
  const foreign = wanted.filter((name) => existing.has(name) && !own.has(name));
  if (foreign.length === 0) return;
  const [subject, verb] = foreign.length === 1 ? ['the table', 'was'] : ['the tables', 'were'];
  throw new StoreConflict(
    `${subject} ${foreign.join(', ')} ${verb} there before and ${verb} not made by deal-signals, so nothing was written; ` +
      'choose another place with --prefix or, in PostgreSQL, --schema',
  );
}
