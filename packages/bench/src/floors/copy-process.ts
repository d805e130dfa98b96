import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { monotonicMs } from '../measure/monotonic.ts';
import { optionsOfParent, serveParent } from '../stack/child.ts';

// The floor of the bulk capture: COPY of the rows that it has written, into the same tables.

/** What the floor needs to know. */
export interface CopyOptions {
  databaseUrl: string;
  /** For the rows between reading and writing them. */
  folder: string;
}

/** Rows of one workspace to copy into another, which has the same rooms and links. */
export type CopyQuestion =
  | { read: { from: number; to: number; toEndpoint: number | null; keysLike: string; since: Date } }
  | { write: true };

export interface CopyReport {
  elapsedMs: number;
  /** Rows of each table. */
  rows: number[];
}

/** Where the copied rows are, and into which columns they go. */
interface Dump {
  table: string;
  columns: string[];
  file: string;
}

const options = optionsOfParent() as CopyOptions;
const client = new Client({ connectionString: options.databaseUrl, options: '-c timezone=UTC' });
await client.connect();
let dumps: Dump[] = [];

/** The columns of a table that are written, and what is read for each. Ids are those of another workspace, so they stay. */
async function columnsOf(table: string, to: number, toEndpoint: number | null): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  const replaced: Record<string, string> = { company_id: String(to), endpoint_id: String(toEndpoint) };
  return new Map(rows.map(({ name }) => [name, replaced[name] ?? `r.${name}`]));
}

async function answer(question: CopyQuestion): Promise<CopyReport> {
  const startedAtMs = monotonicMs();
  const rows: number[] = [];
  if ('read' in question) {
    const { from, to, toEndpoint, keysLike, since } = question.read;
    const isNew = `r.company_id = ${from} AND r.created_at >= '${since.toISOString()}'`;
    const tables: Record<string, string> = {
      engagement_events: `r.company_id = ${from} AND r.key LIKE ${client.escapeLiteral(keysLike)}`,
      ...(toEndpoint !== null && { webhook_events: isNew, webhook_deliveries: isNew }),
    };
    dumps = [];
    for (const [table, where] of Object.entries(tables)) {
      const columns = await columnsOf(table, to, toEndpoint);
      const file = path.join(options.folder, `${table}.copy`);
      const select = `SELECT ${[...columns.values()].join(', ')} FROM ${table} r WHERE ${where}`;
      await pipeline(client.query(copyTo(`COPY (${select}) TO STDOUT`)), createWriteStream(file));
      dumps.push({ table, columns: [...columns.keys()], file });
    }
  } else {
    await client.query('BEGIN');
    for (const { table, columns, file } of dumps) {
      const target = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
      await pipeline(createReadStream(file), target);
      rows.push(target.rowCount);
    }
    await client.query('COMMIT');
  }
  return { elapsedMs: monotonicMs() - startedAtMs, rows };
}

serveParent(answer);
