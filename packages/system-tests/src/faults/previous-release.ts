import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { buildApps } from '@deal-signals/test-kit/built-apps';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

const run = promisify(execFile);

/**
 * Names the commit whose processes must work with the present schema: that of `PREVIOUS_RELEASE`, which is any name that Git
 * knows, or else the last one before the newest migration.
 *
 * @returns undefined where there is no history, as in a source archive or a shallow clone.
 */
export function findPreviousRelease(): string | undefined {
  try {
    const given = process.env['PREVIOUS_RELEASE'];
    return git('rev-parse', '--verify', `${given ?? `${lastMigration()}^1`}^{commit}`);
  } catch {
    return undefined;
  }
}

/** The commit of this branch that brought the newest migration. */
function lastMigration(): string {
  return git('rev-list', '--first-parent', '--max-count=1', 'HEAD', '--', 'prisma/migrations');
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: REPOSITORY_ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/**
 * Builds the apps of an earlier commit, with the dependencies that are installed now.
 *
 * @returns the folder, for `startApp`.
 */
export async function buildRelease(commit: string): Promise<string> {
  const folder = path.join(currentTestRun().folder, `release-${randomUUID()}`);
  const source = path.join(folder, 'source');
  const built = path.join(folder, 'built');
  await mkdir(source, { recursive: true });
  const archive = path.join(folder, 'source.tar');
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: REPOSITORY_ROOT });
  await run('tar', ['--extract', `--file=${archive}`, `--directory=${source}`]);
  // The client of its own schema, and the console as it is now: no page of it is loaded here.
  const inDatabasePackage = 'packages/db/node_modules';
  await symlink(path.join(REPOSITORY_ROOT, inDatabasePackage), path.join(source, inDatabasePackage));
  await run(process.execPath, ['packages/db/generate-client.mjs'], { cwd: source });
  await cp(path.join(REPOSITORY_ROOT, 'apps/console/dist'), path.join(source, 'apps/console/dist'), {
    recursive: true,
  });
  await buildApps(built, source);
  return built;
}
