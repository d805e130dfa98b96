import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import { until } from '@deal-signals/test-kit/until';
import { Client } from 'pg';

/** The program, if it is installed. Debian installs it in a folder that is only on root's PATH. */
export const PGBOUNCER = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin']
  .map((folder) => path.join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));

/** Fewer than the connections of a test's processes, so that sessions are really shared. */
const SERVER_CONNECTIONS = 6;

/** A PgBouncer in transaction mode in front of a PostgreSQL. */
export interface Pooler {
  /** Returns a URL through the pooler for a role, without `pgbouncer=true`. */
  urlFor(role: string): string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer with its default settings, except for the mode.
 *
 * @param databaseUrl the URL of PostgreSQL itself.
 * @param roles the passwords of the roles that may connect.
 */
export function startPgbouncer(databaseUrl: string, roles: Record<string, string>): Promise<Pooler> {
  return onFreePort(0, async (port) => {
    // PgBouncer drops root privileges, so it cannot read the folders of the test run.
    const folder = await mkdtemp(path.join(tmpdir(), 'deal-signals-pgbouncer-'));
    await chmod(folder, 0o755);
    const target = new URL(databaseUrl);
    const configuration = path.join(folder, 'pgbouncer.ini');
    const users = path.join(folder, 'users.txt');
    await writeFile(
      users,
      Object.entries(roles)
        .map(([role, password]) => `"${role}" "${password}"\n`)
        .join(''),
    );
    await writeFile(
      configuration,
      `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
    );
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child: ChildProcess = spawn(PGBOUNCER ?? '', ['-q', ...asUser, configuration], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const urlFor = (role: string) => {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      url.username = role;
      url.password = roles[role] ?? '';
      return url.href;
    };
    await until('PgBouncer connects to PostgreSQL', async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
      const client = new Client({ connectionString: urlFor(Object.keys(roles)[0] ?? '') });
      await client.connect();
      await client.query('SELECT 1');
      await client.end();
      return true;
    });
    return {
      urlFor,
      async stop() {
        child.kill('SIGKILL');
        await exited;
        await rm(folder, { recursive: true });
      },
    };
  });
}
