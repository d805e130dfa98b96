import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.join(import.meta.dirname, '../../connect-proxy-process.mjs');
/** Where the connections of the proxy to receivers come from. */
export const PROXY_ADDRESS = '127.0.0.9';

/** A running HTTP proxy. */
export interface ConnectProxy {
  /** Its URL, with credentials if it asks for any. */
  readonly url: URL;
  /** What each `CONNECT` with the right credentials asked for: an address and a port. */
  readonly asked: string[];
  /** Ends it at once, with all connections through it. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP proxy as a process. It supports `CONNECT` alone.
 *
 * @param credentials `user:password` that it asks for; none by default.
 */
export async function startConnectProxy(credentials = ''): Promise<ConnectProxy> {
  const child = spawn(process.execPath, [PROGRAM, credentials, PROXY_ADDRESS], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const [port] = (await once(lines, 'line')) as [string];
  const asked: string[] = [];
  lines.on('line', (line) => asked.push(line));
  const [user = '', password = ''] = credentials.split(':').map(encodeURIComponent);
  const userInfo = credentials === '' ? '' : `${user}:${password}@`;
  return {
    url: new URL(`http://${userInfo}127.0.0.1:${port}`),
    asked,
    async close() {
      child.kill('SIGKILL');
      await exited;
      lines.close();
    },
  };
}
