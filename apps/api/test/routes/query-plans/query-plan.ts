import { Client } from 'pg';

/** A statement as it was sent to PostgreSQL. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The cost of running a statement. */
export interface Plan {
  /** Tables that are read completely. */
  seqScans: string[];
  /** Rows in the largest sort. */
  sortedRows: number;
  /** Rows read from tables and indexes, including those that a filter removed. */
  rowsRead: number;
  /** Pages of 8 KiB that were read. */
  buffers: number;
  /** The plan itself, for messages. */
  text: string;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Plan Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

const READING = /^\s*(SELECT|WITH)\b/i;

/**
 * Runs `work` and returns the queries that all clients of this process sent to PostgreSQL during it. They are taken from the
 * driver, so their plans are those of the real statements.
 *
 * @param form how a statement has to begin.
 */
export async function recordQueries(
  work: () => Promise<unknown>,
  form: RegExp = READING,
): Promise<Statement[]> {
  const recorded: Statement[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with the client that it was called on
  const { query } = Client.prototype;
  Client.prototype.query = function recordAndQuery(this: Client, ...args: unknown[]): unknown {
    const [config] = args;
    if (isStatement(config) && form.test(config.text)) {
      recorded.push({ text: config.text, values: config.values });
    }
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    Client.prototype.query = query;
  }
  return recorded;
}

/** Runs a statement and returns its cost. */
export async function explain(client: Client, { text, values }: Statement): Promise<Plan> {
  return planOf(await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values));
}

/** Returns the generic plan of a statement, without running it. */
export async function explainGeneric(client: Client, { text }: Statement): Promise<Plan> {
  return planOf(await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`));
}

function planOf({ rows }: { rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] }): Plan {
  const root = rows[0]?.['QUERY PLAN'][0].Plan;
  if (root === undefined) throw new Error('no plan');
  const nodes = flatten(root);
  const scans = nodes.filter((node) => node['Node Type'].includes('Scan') && !node.Plans?.length);
  const sorts = nodes.filter((node) => node['Node Type'].includes('Sort'));
  return {
    seqScans: scans
      .filter((node) => node['Node Type'].includes('Seq Scan'))
      .map((node) => String(node['Relation Name'])),
    sortedRows: Math.max(0, ...sorts.map((node) => sum(node.Plans ?? [], rowsOf))),
    rowsRead: sum(scans, (node) => rowsOf(node) + removedRows(node)),
    buffers: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    text: describe(root),
  };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function rowsOf(node: PlanNode): number {
  const { 'Actual Rows': actual, 'Actual Loops': loops = 1 } = node;
  return actual === undefined ? node['Plan Rows'] : actual * loops;
}

function removedRows(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return removed * (node['Actual Loops'] ?? 1);
}

function describe(node: PlanNode, depth = 0): string {
  const target = node['Index Name'] ?? node['Relation Name'] ?? '';
  const conditions = [node['Index Cond'], node.Filter].filter(Boolean).join(' | ');
  const own = `${'  '.repeat(depth)}${node['Node Type']} ${target} rows=${rowsOf(node)} -${removedRows(node)} ${conditions}`;
  return [own, ...(node.Plans ?? []).map((child) => describe(child, depth + 1))].join('\n');
}

function sum<T>(items: T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value;
}
