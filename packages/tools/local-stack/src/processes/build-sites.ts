import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from '../files/local-folder.ts';

/** The build takes seconds, but a machine that is busy with tests may need many times as long. */
const TIMEOUT_MS = 300_000;

/**
 * Builds the console, unless the existing build is newer than its sources. The API serves the files that exist when it starts.
 *
 * @throws Error with the output of the build if it fails.
 */
export async function buildConsole(): Promise<void> {
  await build('console');
}

/**
 * Builds the guides, unless the existing build is newer than the documents. The API looks for them on each request until they
 * exist.
 *
 * @param signal ends the build.
 * @throws Error with the output of the build if it fails.
 */
export async function buildGuides(signal?: AbortSignal): Promise<void> {
  await build('guides', signal);
}

async function build(app: 'console' | 'guides', signal?: AbortSignal): Promise<void> {
  const command = path.join(REPOSITORY_ROOT, 'apps', app, 'build.mjs');
  await promisify(execFile)(process.execPath, [command, '--if-stale'], {
    cwd: path.dirname(command),
    // Conditions of this process must not apply to the browser build.
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
    timeout: TIMEOUT_MS,
    ...(signal && { signal }),
  });
}
