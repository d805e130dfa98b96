import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MIGRATIONS_FOLDER } from '@deal-signals/db/migrations/migration-files';
import { buildApps } from '@deal-signals/test-kit/built-apps';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** Writes a folder with the migrations of the product and further ones, by name and SQL. */
export async function writeMigrations(folder: string, further: Record<string, string>): Promise<void> {
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  for (const [name, sql] of Object.entries(further)) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'migration.sql'), sql);
  }
}

/**
 * Builds the apps as a release that brings further migrations.
 *
 * @returns the folder, for `startApp`.
 */
export async function buildNextRelease(migrations: Record<string, string>): Promise<string> {
  const folder = path.join(currentTestRun().folder, `release-${randomUUID()}`);
  await buildApps(folder);
  const prisma = path.join(folder, 'prisma');
  await rm(prisma);
  await writeMigrations(path.join(prisma, 'migrations'), migrations);
  return folder;
}

/** The command that migrates a database, as a process. */
export interface RunningMigration {
  /** Everything that it has written so far. */
  output(): string;
  /** Resolves to its exit code, or to null if it was killed. */
  readonly exited: Promise<number | null>;
  /** Kills it, as a crash would. */
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
