import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';

export const run = promisify(execFile);

const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--loglevel=error'];

/** Installs registry packages or packed ones into a folder with npm. */
export async function npmInstall(
  folder: string,
  packages: readonly string[],
  ...options: string[]
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run('npm', ['install', ...QUIETLY, ...options, '--prefix', folder, ...packages], {
    env: withoutJest(),
  });
}

/** Copies a package that is not part of the workspace into a folder with its dependencies. Returns the copy. */
export function copyOf(name: string, folder: string): string {
  const copy = path.join(folder, 'package');
  rmSync(copy, { recursive: true, force: true });
  cpSync(path.join(REPOSITORY_ROOT, 'packages/clients', name), copy, {
    recursive: true,
    filter: (file) => !['node_modules', 'dist'].includes(path.basename(file)),
  });
  return copy;
}

/** Returns the environment without Jest's variables. Under test, the rules of n8n accept other file names. */
export function withoutJest(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...rest } = process.env;
  return rest;
}
