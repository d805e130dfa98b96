import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { DATA_FEEDS, type Feed, tableOf } from 'deal-signals/feeds/feeds';
import { openSqlite } from 'deal-signals/stores/sqlite-driver';
import type { FeedRecord } from './api-world.ts';

/** The feeds whose records are copied: all data feeds except the list of erasures. */
export const FEEDS = DATA_FEEDS.filter((feed) => feed !== 'erasures');

/** A copy that `sync` creates. */
export interface Copy {
  /** The value of `--to`. */
  target: string;
  /** Returns the records of a feed as the copy stores them, by id. */
  read(feed: Feed): Promise<Map<string, FeedRecord>>;
}

const snakeCase = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const fieldOf = (column: string) =>
  column.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Converts rows to records. A field that the API leaves out is a column without a value. */
function asRecords(
  rows: readonly Record<string, unknown>[],
  convert: (column: string, value: unknown) => unknown,
): Map<string, FeedRecord> {
  const records = rows.map((row) => {
    const fields = Object.entries(row).map(([column, value]) => [fieldOf(column), convert(column, value)]);
    const record = Object.fromEntries(fields) as FeedRecord;
    // The only field of an event that is left out.
    if ('occurredAt' in record && record['forwardedFromDistributionId'] === null) {
      delete record['forwardedFromDistributionId'];
    }
    return record;
  });
  return new Map(records.map((record) => [record.id, record]));
}

const JSON_FIELDS = 'owner participants talkTime summary deal actor metadata segments recipient'
  .split(' ')
  .map(snakeCase);
const BOOLEANS = ['has_summary', 'in_committee', 'uploaded_by_prospect'];

/** A copy in a SQLite file. */
export function sqliteCopy(file: string): Copy {
  return {
    target: `sqlite:${file}`,
    async read(feed) {
      const database = await openSqlite(file);
      const rows = database.prepare(`SELECT * FROM ${tableOf(feed)}`).all() as Record<string, unknown>[];
      database.close();
      return asRecords(rows, (column, value) => {
        if (column === 'id') return String(value);
        if (JSON_FIELDS.includes(column)) return value === null ? null : JSON.parse(value as string);
        return BOOLEANS.includes(column) ? value === 1 : value;
      });
    },
  };
}

/** A copy in files of newline-delimited JSON. */
export function fileCopy(folder: string): Copy {
  return {
    target: `ndjson:${folder}`,
    read(feed) {
      const text = readFileSync(path.join(folder, `${tableOf(feed)}.ndjson`), 'utf8');
      const records = text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as FeedRecord);
      return Promise.resolve(new Map(records.map((record) => [record.id, record])));
    },
  };
}

/** A copy in a schema of a PostgreSQL database. */
export function postgresCopy(url: string, schema: string): Copy {
  const target = new URL(url);
  target.searchParams.set('options', `-c search_path=${schema}`);
  return {
    target: target.href,
    async read(feed) {
      const client = new Client({ connectionString: target.href });
      await client.connect();
      const { rows } = await client.query(`SELECT to_jsonb(row) AS row FROM ${tableOf(feed)} AS row`);
      await client.end();
      return asRecords(
        rows.map(({ row }) => row as Record<string, unknown>),
        (column, value) => {
          if (column === 'id') return String(value);
          if (column.endsWith('_at')) return value === null ? null : new Date(value as string).toISOString();
          return value;
        },
      );
    },
  };
}
