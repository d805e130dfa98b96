import type { Client } from 'pg';

/** Tables whose rows come and go with deliveries. */
const TABLES = [
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_events',
  'webhook_delivery_subjects',
  'webhook_endpoints',
  'attempt_counts',
  'feed_clocks',
  'ready_workspaces',
];

/** The size of a table and of its indexes. */
export interface TableSize {
  table: string;
  rows: number;
  /** Of the rows themselves, without what is stored apart because it is large. */
  bytes: number;
  indexBytes: number;
  indexes: { name: string; bytes: number }[];
}

/** How often the rows of a table were updated, and how often that wrote no index. */
export interface Updates {
  table: string;
  updates: number;
  hot: number;
}

/** Measures each table that has rows. */
export async function tableSizes(client: Client): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(
    `SELECT relname AS table, greatest(reltuples, 0)::float8 AS rows, pg_relation_size(c.oid)::float8 AS bytes,
       pg_indexes_size(c.oid)::float8 AS "indexBytes",
       (SELECT json_agg(json_build_object('name', indexrelid::regclass::text, 'bytes', pg_relation_size(indexrelid))
          ORDER BY pg_relation_size(indexrelid) DESC) FROM pg_index WHERE indrelid = c.oid) AS indexes
     FROM pg_class AS c WHERE oid = ANY ($1::regclass[]::oid[]) AND reltuples > 0
     ORDER BY bytes DESC`,
    [TABLES],
  );
  return rows;
}

/** Reads the counts of updates so far. A session reports its own after a moment without work. */
export async function countUpdates(client: Client): Promise<Updates[]> {
  const { rows } = await client.query<Updates>(
    `SELECT relname AS table, n_tup_upd::float8 AS updates, n_tup_hot_upd::float8 AS hot
     FROM pg_stat_user_tables WHERE relname = ANY ($1) ORDER BY array_position($1, relname::text)`,
    [TABLES],
  );
  return rows;
}
