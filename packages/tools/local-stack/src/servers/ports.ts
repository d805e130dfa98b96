import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports to try, counting from the preferred one. */
const PORTS_TO_TRY = 200;
/**
 * The range of ports for a server that does not ask for a certain one. It lies below the ephemeral ports of Linux (from 32768)
 * and macOS (from 49152), so no other process is given the port of a server while it restarts.
 */
const FIRST_OWN_PORT = 10_240;
const OWN_PORTS = 22_528;
/** The maximum number of attempts, because another process may take the port between the check and the use. */
const ATTEMPTS = 3;

/**
 * Finds the first free port from a preferred one upwards. 0 means any free port.
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

/** Where the next search begins. It is random, so that two processes most probably begin at different ports. */
let nextOwnPort = Math.floor(Math.random() * OWN_PORTS);

async function anyFreePort(): Promise<number> {
  for (let tries = 0; tries < OWN_PORTS; tries += 1) {
    // Incremented before the wait, so that concurrent calls get different ports.
    const port = FIRST_OWN_PORT + (nextOwnPort++ % OWN_PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port from ${FIRST_OWN_PORT} to ${FIRST_OWN_PORT + OWN_PORTS - 1}`);
}
