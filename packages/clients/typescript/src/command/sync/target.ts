import type { Feed } from '../../feeds/feeds.ts';
import { openFileStore } from '../../stores/file-store.ts';
import { openPostgresStore } from '../../stores/postgres-store.ts';
import { openSqliteStore } from '../../stores/sqlite-store.ts';
import type { FeedStore } from '../../stores/store.ts';
import { validatePrefix } from '../../stores/tables.ts';
import { UsageError } from '../command.ts';

/** The options that choose where the data is stored. */
export interface TargetValues {
  to?: string | undefined;
  schema?: string | undefined;
  prefix?: string | undefined;
  views?: boolean | undefined;
}

/** Whether a target is a folder, with one append-only file for each feed. */
export function isFolder(target: string | undefined): boolean {
  return target?.startsWith('ndjson:') === true;
}

/**
 * Opens the target of `--to`, with the tables of the given feeds.
 * @throws UsageError
 */
export async function openTarget(
  { to: target, schema, prefix, views }: TargetValues,
  feeds: readonly Feed[],
): Promise<FeedStore<unknown>> {
  if (target === undefined) throw new UsageError('--to is missing: where should the data be stored?');
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(target) ?? [];
  const isPostgres = scheme === 'postgres' || scheme === 'postgresql';
  if (schema !== undefined && !isPostgres) throw new UsageError('--schema is only for PostgreSQL');
  if (prefix !== undefined && isFolder(target)) throw new UsageError('--prefix is for tables, not for files');
  if (views && isFolder(target)) throw new UsageError('--views is for databases, not for files');
  checkPrefix(prefix);
  if (scheme === 'sqlite' && rest !== '') return openSqliteStore(rest, { prefix, feeds, views });
  if (isFolder(target) && rest !== '') return openFileStore(rest);
  if (isPostgres) return openPostgresStore(target, { schema, prefix, feeds, views });
  throw new UsageError(
    `--to must be sqlite:FILE, postgres://… or ndjson:FOLDER, but is ${withoutPassword(target)}`,
  );
}

function checkPrefix(prefix: string | undefined): void {
  try {
    validatePrefix(prefix);
  } catch (error) {
    throw new UsageError(`--prefix: ${(error as Error).message}`, { cause: error });
  }
}

function withoutPassword(target: string): string {
  return target.replace(/:[^:@/]*@/, ':…@');
}
