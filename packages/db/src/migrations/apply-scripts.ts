import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { ApplyOptions } from './apply-migration.ts';
import { explainFailure } from './failures.ts';
import { retryLocks } from './lock-retries.ts';
import type { SchemaScript } from './schema-files.ts';

/**
 * Lists every version of each script that the database has had. Former versions stay listed, because processes of the previous
 * release still run during a deployment and check for theirs.
 */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _applied_scripts (
    name       text NOT NULL,
    checksum   text NOT NULL,
    applied_at timestamptz NOT NULL,
    PRIMARY KEY (name, checksum)
  )`;

const RECORD = `
  INSERT INTO _applied_scripts (name, checksum, applied_at)
  SELECT name, checksum, clock_timestamp() FROM unnest($1::text[], $2::text[]) AS s (name, checksum)
  ON CONFLICT (name, checksum) DO UPDATE SET applied_at = EXCLUDED.applied_at`;

/** Returns the checksum that identifies a version of a script. */
export function checksumOf({ sql }: SchemaScript): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** Creates the table of applied scripts if it is missing, as it is after Prisma's own commands have migrated the database. */
export async function createScriptHistory(client: Client): Promise<void> {
  await client.query(CREATE_TABLE);
}

/**
 * Applies the scripts whose content differs from the database, all in one transaction. After a migration, it applies all scripts,
 * because the migration may have dropped objects of a script to change a table.
 *
 * Running statements continue with the old functions. Only a trigger locks its table, against writes and until the commit, so the
 * lock limits of migrations apply.
 *
 * @param scripts in the order in which they can be applied.
 * @returns the names of the scripts that it applied.
 * @throws Error with the script that failed and the reason.
 */
export async function applyScripts(
  client: Client,
  scripts: readonly SchemaScript[],
  { patienceMs, say }: ApplyOptions,
): Promise<string[]> {
  const due = await findDue(client, scripts);
  let [current] = due;
  if (current === undefined) return [];
  const names = due.map(({ name }) => name);
  const attempt = async () => {
    try {
      await client.query('BEGIN');
      for (current of due) await client.query(current.sql);
      await client.query(RECORD, [names, due.map(checksumOf)]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  };
  try {
    await retryLocks(attempt, patienceMs, (pauseMs) =>
      say(
        `${current!.name}: another session holds a lock that it needs; trying again in ${pauseMs / 1_000} s`,
      ),
    );
  } catch (error) {
    throw new Error(explainFailure(`The script ${current.name}`, current.sql, error), { cause: error });
  }
  return names;
}

async function findDue(client: Client, scripts: readonly SchemaScript[]): Promise<SchemaScript[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(`
    SELECT DISTINCT ON (name) name, checksum FROM _applied_scripts
    WHERE applied_at > ALL (SELECT finished_at FROM _prisma_migrations WHERE finished_at IS NOT NULL)
    ORDER BY name, applied_at DESC`);
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return scripts.filter((script) => applied.get(script.name) !== checksumOf(script));
}
