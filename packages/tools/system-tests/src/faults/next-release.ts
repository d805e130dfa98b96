import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PRISMA_FOLDER } from '@deal-signals/db/migrations/schema-files';
import { buildApps } from '@deal-signals/test-kit/built-apps';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** The changes that a release makes to the schema, by name and SQL. */
export interface SchemaChanges {
  migrations: Record<string, string>;
  /** SQL that is appended to scripts. */
  scripts?: Record<string, string>;
}

/** Writes a folder with the migrations and scripts of the product and additional ones. */
export async function writeSchema(
  folder: string,
  { migrations, scripts = {} }: SchemaChanges,
): Promise<void> {
  await cp(PRISMA_FOLDER, folder, { recursive: true });
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, 'migrations', name));
    await writeFile(path.join(folder, 'migrations', name, 'migration.sql'), sql);
  }
  for (const [name, sql] of Object.entries(scripts)) await appendFile(path.join(folder, 'sql', name), sql);
}

/**
 * Builds the apps as a release that changes the schema.
 *
 * @returns the folder, for `startApp`.
 */
export async function buildNextRelease(changes: SchemaChanges): Promise<string> {
  const folder = path.join(currentTestRun().folder, `release-${randomUUID()}`);
  await buildApps(folder);
  const prisma = path.join(folder, 'prisma');
  await rm(prisma);
  await writeSchema(prisma, changes);
  return folder;
}

/** The command that migrates a database, as a process. */
export interface RunningMigration {
  /** Returns everything that the migration has written so far. */
  output(): string;
  /** Resolves to the exit code, or to null if the migration was killed. */
  readonly exited: Promise<number | null>;
  /** Kills the migration, as a crash would. */
  kill9(): Promise<void>;
}

/** Starts the migration step of a release. */
export function startMigration(builtFolder: string, databaseUrl: string): RunningMigration {
  const { NODE_OPTIONS: _jestFlags, ...inherited } = process.env;
  const child: ChildProcess = spawn(
    process.execPath,
    [path.join(builtFolder, 'packages/db/dist/migrations/migrate-command.js')],
    { env: { ...inherited, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
  const exited = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  return {
    output: () => output,
    exited,
    async kill9() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
