import type { Server } from 'node:net';

/** How long a caller has to read what is left of the last response, once the kernel has all of it. */
const LINGER_MS = 500;

/**
 * Bounds how many connections a server holds, and for how long it holds one that it has given up.
 *
 * Ending a socket only closes our side. The other side counts against the maximum until the caller closes it, and a paused
 * socket never notices that. So a connection is destroyed soon after our side of it was ended, by this process or by Node.
 *
 * @param max further connections are closed as soon as they are made.
 */
export function boundConnections(server: Server, max: number): void {
  server.maxConnections = max;
  server.on('connection', (socket) => {
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  });
}
