import { mkdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import path from 'node:path';
import { type ServiceProcess, startService, untilUp } from '../processes/service-process.ts';
import { findRedisProgram } from './redis-program.ts';

export interface RedisOptions {
  /** Folder for the data, the log and the process record. Created if missing. */
  dataDir: string;
  port: number;
  /** Server settings, named as in the configuration file, such as `{ databases: '64' }`. */
  settings?: Record<string, string>;
  /** Reports that a package is about to be installed, because this machine has no Redis. */
  say?: (line: string) => void;
  /** Whether a package may be installed. Default: true. */
  mayInstall?: boolean;
}

export interface RedisServer {
  readonly port: number;
  readonly process: ServiceProcess;
  /** Connection URL. */
  readonly url: string;
  stop(): Promise<unknown>;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 2_000;

/**
 * Runs a Redis (or Valkey) server on the loopback interface, with its data on disk.
 *
 * @returns once the server has loaded its data and responds.
 * @throws Error with the last lines of the server's log, or with the ways to get a server if there is none.
 */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const program = await findRedisProgram(options);
  await mkdir(options.dataDir, { recursive: true });
  const settings = {
    // Loopback only. There is no password, as in a default Redis: it holds delivery ids and no customer data.
    bind: '127.0.0.1',
    port: String(options.port),
    dir: quote(path.resolve(options.dataDir)),
    appendonly: 'yes',
    // The append-only file holds everything, so snapshots would be redundant.
    save: '""',
    // When memory is full, writes must fail: an evicted key would be a lost job.
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
    ...options.settings,
  };
  const service = await startService({
    name: 'Redis',
    command: program,
    args: ['-'],
    input: Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
    logFile: path.join(options.dataDir, 'redis.log'),
    logMode: 'append',
    recordFile: path.join(options.dataDir, 'process.json'),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  try {
    await untilUp(service, START_TIMEOUT_MS, async () => {
      const response = await askServer(options.port);
      // Another server that took this port in the meantime would respond too, but with its own process id.
      const isUp = response.includes('+PONG') && response.includes(`process_id:${service.pid}\r\n`);
      return isUp ? null : response.slice(0, 200);
    });
  } catch (error) {
    await service.stop();
    throw error;
  }
  return {
    port: options.port,
    process: service,
    url: `redis://127.0.0.1:${options.port}`,
    stop: () => service.stop(),
  };
}

/** Sends PING and INFO as inline commands. Returns the responses, or the error message if the connection fails. */
function askServer(port: number): Promise<string> {
  return new Promise((resolve) => {
    let response = '';
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.setEncoding('utf8');
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy(new Error('timeout')));
    socket.on('connect', () => socket.write('PING\r\nINFO server\r\nQUIT\r\n'));
    socket.on('data', (text) => (response += text));
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', () => resolve(response.trim()));
  });
}

/** Quotes a value for the configuration file, because it may contain spaces. */
function quote(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
