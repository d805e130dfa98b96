import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';

const VERSION = '3.22.0';

export const CHART = path.join(REPOSITORY_ROOT, 'docker/chart');

/** The example values that operators begin with: `values-<name>.yaml`. */
export const EXAMPLES = ['single', 'production'] as const;

/** Renders for the oldest version that Chart.yaml allows. */
export const KUBERNETES = '--kube-version=1.30.0';

/** Finds Helm on the PATH or in a folder for temporary files, or builds it there with Go, which takes minutes on two cores. */
export function findHelm(): { command: string } | { missing: string } {
  if (spawnSync('helm', ['version']).status === 0) return { command: 'helm' };
  const folder = path.join(tmpdir(), `deal-signals-helm-${VERSION}`);
  const command = path.join(folder, 'helm');
  if (existsSync(command)) return { command };
  const { error, status } = spawnSync('go', ['install', `helm.sh/helm/v3/cmd/helm@v${VERSION}`], {
    env: { ...process.env, GOBIN: folder },
  });
  if (error !== undefined) return { missing: 'neither helm nor go is installed' };
  return status === 0 ? { command } : { missing: `go cannot build helm ${VERSION}` };
}

/**
 * Runs Helm in the folder of the chart. Returns its standard output.
 *
 * @throws Error with its output if it fails.
 */
export function runHelm(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: CHART, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
