import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { canReadCpu } from '../measure/cpu.ts';

/** Returns lines that describe the measurement: date, commit, processors, versions, and what could not be measured. */
export async function describeMachine(servers: { serverUrl: string; redisUrl: string }): Promise<string[]> {
  const client = new Client({ connectionString: servers.serverUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  const redis = new Redis(servers.redisUrl, { maxRetriesPerRequest: 1 });
  const info = await redis.info('server');
  redis.disconnect();
  const [cpu] = os.cpus();
  return [
    `Measured ${new Date().toISOString().slice(0, 10)}, commit ${commit()}, load average before ${os.loadavg()[0]?.toFixed(1)}.`,
    `${os.availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(os.totalmem() / 2 ** 30)} GiB; ${os.type()} ${os.release()}.`,
    `Node.js ${process.versions.node}, PostgreSQL ${rows[0]?.server_version}, Redis ${/^redis_version:(\S+)/m.exec(info)?.[1]}.`,
    ...(canReadCpu ? [] : ['This machine has no /proc, so CPU times are not measured.']),
  ];
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: REPOSITORY_ROOT, encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
