import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.join(import.meta.dirname, '../../connect-proxy-process.mjs');
/** The source address of the proxy's connections to receivers. */
export const PROXY_ADDRESS = '127.0.0.9';

/** A running HTTP proxy. */
export interface ConnectProxy {
  /** Its URL, with credentials if it requires any. */
  readonly url: URL;
  /** The target of each `CONNECT` with the right credentials: an address and a port. */
  readonly targets: string[];
  /** Stops the proxy at once, with all connections through it. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP proxy as a process. It supports only `CONNECT`.
 *
 * @param credentials the `user:password` that it requires; none by default.
 */
export async function startConnectProxy(credentials = ''): Promise<ConnectProxy> {
  const child = spawn(process.execPath, [PROGRAM, credentials, PROXY_ADDRESS], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const [port] = (await once(lines, 'line')) as [string];
  const targets: string[] = [];
  lines.on('line', (line) => targets.push(line));
  const [user = '', password = ''] = credentials.split(':').map(encodeURIComponent);
  const userInfo = credentials === '' ? '' : `${user}:${password}@`;
  return {
    url: new URL(`http://${userInfo}127.0.0.1:${port}`),
    targets,
    async close() {
      child.kill('SIGKILL');
      await exited;
      lines.close();
    },
  };
}
