import { openFileStore } from '../../stores/file-store.ts';
import { openPostgresStore } from '../../stores/postgres-store.ts';
import { openSqliteStore } from '../../stores/sqlite-store.ts';
import type { FeedStore } from '../../stores/store.ts';
import { UsageError } from '../command.ts';

/**
 * Opens what `--to` names.
 * @throws UsageError
 */
export function openTarget(target: string | undefined): Promise<FeedStore<unknown>> {
  if (target === undefined) throw new UsageError('--to is missing: where should the data go?');
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(target) ?? [];
  if (scheme === 'sqlite' && rest !== '') return openSqliteStore(rest);
  if (scheme === 'ndjson' && rest !== '') return openFileStore(rest);
  if (scheme === 'postgres' || scheme === 'postgresql') return openPostgresStore(target);
  throw new UsageError(
    `--to must be sqlite:FILE, postgres://… or ndjson:FOLDER, but is ${withoutPassword(target)}`,
  );
}

function withoutPassword(target: string): string {
  return target.replace(/:[^:@/]*@/, ':…@');
}
