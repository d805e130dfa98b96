import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports to try, counting from the preferred one. */
const PORTS_TO_TRY = 200;
/** Maximum number of attempts, because another process may take the port between the check and the use. */
const ATTEMPTS = 3;

/**
 * Finds the first free port from a preferred one upwards. 0 asks the system for any free port.
 *
 * @throws Error if 200 ports in a row are taken.
 */
export async function findFreePort(preferred: number): Promise<number> {
  if (preferred === 0) return anyFreePort();
  const last = Math.min(preferred + PORTS_TO_TRY - 1, 65_535);
  for (let port = preferred; port <= last; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port from ${preferred} to ${last}`);
}

/**
 * Starts something on the first free port. If that fails because the port was taken in the meantime, tries the next
 * free port. Any other error is rethrown.
 */
export async function onFreePort<T>(preferred: number, start: (port: number) => Promise<T>): Promise<T> {
  let from = preferred;
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort(from);
    try {
      return await start(port);
    } catch (error) {
      if (attempt === ATTEMPTS || (await isFree(port))) throw error;
      from = preferred === 0 ? 0 : port + 1;
    }
  }
}

/** Checks both loopback addresses, because `localhost` may resolve to either. */
async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    // On a machine without IPv6, nothing can listen on the IPv6 address.
    return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
  server.close();
  await once(server, 'close');
  return true;
}

async function anyFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
