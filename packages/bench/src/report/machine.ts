import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { Client } from 'pg';
import { canReadCpu } from '../measure/cpu.ts';
import type { BenchStack } from '../stack/bench-stack.ts';

/** Lines that say on what was measured: date, commit, processors, versions, and what could not be measured. */
export async function describeMachine(
  stack: Pick<BenchStack, 'serverUrl' | 'redisVersion'>,
): Promise<string[]> {
  const client = new Client({ connectionString: stack.serverUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  const [cpu] = os.cpus();
  return [
    `Measured ${new Date().toISOString().slice(0, 10)}, commit ${commit()}, load average before ${os.loadavg()[0]?.toFixed(1)}.`,
    `${os.availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(os.totalmem() / 2 ** 30)} GiB; ${kernel()}.`,
    `Node.js ${process.versions.node}, PostgreSQL ${rows[0]?.server_version}, Redis ${stack.redisVersion}.`,
    ...(canReadCpu ? [] : ['This machine has no /proc, so CPU times are not measured.']),
  ];
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: REPOSITORY_ROOT, encoding: 'utf8' }).trim();
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

function kernel(): string {
  try {
    return readFileSync('/proc/version', 'utf8').split(' ').slice(0, 3).join(' ');
  } catch {
    return `${os.type()} ${os.release()}`;
  }
}
